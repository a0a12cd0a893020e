-- revision: 2
-- Removes traces whose message was removed, with its partition or by retention, from a page of partitions: p_partitions
-- of them from p_after on, at most p_limit traces. o_last is where the next page starts, null at the end; it is p_after
-- itself while there is more to remove here. Jumps from partition to partition through the primary key, so the cost
-- grows with partitions that have traces.
--
-- Called by: upkeep_traces_v1.
-- Locks: as drop_traces_v1.
create or replace function queen.trim_traces_v1(
  p_shard smallint,
  p_after uuid,
  p_partitions integer,
  p_limit integer,
  out o_removed integer,
  out o_last uuid
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_id uuid := coalesce(p_after, '00000000-0000-0000-0000-000000000000');
  v_ids uuid[] := '{}';
  v_below bigint[] := '{}';
  v_first bigint;
begin
  for i in 1 .. p_partitions loop
    select t.partition_id into v_id
    from queen.traces t
    where t.shard = p_shard and t.partition_id > v_id
    order by t.partition_id
    limit 1;
    exit when not found;
    select p.first_offset into v_first from queen.partitions p where p.shard = p_shard and p.id = v_id;
    if not found then
      v_ids := v_ids || v_id;
      v_below := v_below || null::bigint;
    elsif v_first > 0 then
      v_ids := v_ids || v_id;
      v_below := v_below || v_first;
    end if;
  end loop;
  o_removed := queen.drop_traces_v1(p_shard, v_ids, null, v_below, p_limit);
  o_last := case
    when o_removed >= p_limit then coalesce(p_after, '00000000-0000-0000-0000-000000000000')
    else v_id
  end;
end
$$;
