-- revision: 4
-- Partitions that no longer exist but still have segments, cursors, dead letters, traces or state of streams, for
-- sweep_v1: left by a queue that was deleted in the table, or by a broker that stopped half-way. Looks at p_limit
-- partitions from p_after on; o_last is where the next page starts, null at the end. Jumps from partition to partition
-- through the primary keys, so the cost grows with partitions, not with messages.
--
-- Called by: the broker, upkeep_orphans_v1.
-- Locks: none.
create or replace function queen.orphans_v1(
  p_shard smallint,
  p_after uuid,
  p_limit integer,
  out o_partition_ids uuid[],
  out o_last uuid
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_id uuid := coalesce(p_after, '00000000-0000-0000-0000-000000000000');
begin
  o_partition_ids := '{}';
  for i in 1 .. p_limit loop
    select least(
      (select s.partition_id from queen.segments s
       where s.shard = p_shard and s.partition_id > v_id order by s.partition_id limit 1),
      (select c.partition_id from queen.cursors c
       where c.shard = p_shard and c.partition_id > v_id order by c.partition_id limit 1),
      (select d.partition_id from queen.dead_letters d
       where d.shard = p_shard and d.partition_id > v_id order by d.partition_id limit 1),
      (select t.partition_id from queen.traces t
       where t.shard = p_shard and t.partition_id > v_id order by t.partition_id limit 1),
      (select l.partition_id from queen.stream_lanes l
       where l.shard = p_shard and l.partition_id > v_id order by l.partition_id limit 1))
    into v_id;
    if v_id is null then
      return;
    end if;
    if not exists (select from queen.partitions p where p.shard = p_shard and p.id = v_id) then
      o_partition_ids := o_partition_ids || v_id;
    end if;
  end loop;
  o_last := v_id;
end
$$;
