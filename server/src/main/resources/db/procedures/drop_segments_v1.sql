-- revision: 2
-- Retention's knife: removes the oldest segments of a partition, whole, as long as they were written before a moment
-- and lie below an offset; at most p_limit of them. Answers how many messages went. Cursors that stood below the new
-- first offset go on from there. Locks: the partition.
create or replace function queen.drop_segments_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_before timestamptz,
  p_below bigint,
  p_limit integer
) returns bigint
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_first bigint;
  v_to bigint;
begin
  select p.first_offset into v_first
  from queen.partitions p
  where p.shard = p_shard and p.id = p_partition_id
  for no key update;

  with old as (
    select s.base_offset, s.message_count,
           s.base_offset < v_first  -- left behind by somebody who was interrupted: see clear_v1
             or (s.created_at < p_before and s.base_offset + s.message_count <= p_below) as goes
    from queen.segments s
    where s.shard = p_shard and s.partition_id = p_partition_id
    order by s.base_offset
    limit p_limit
  )
  select max(o.base_offset + o.message_count) into v_to
  from old o
  where o.goes and not exists (select from old e where not e.goes and e.base_offset < o.base_offset);
  if v_to is null then
    return 0;
  end if;

  delete from queen.segments s
  where s.shard = p_shard and s.partition_id = p_partition_id and s.base_offset < v_to;
  v_to := greatest(v_to, v_first);
  delete from queen.hidden h
  where h.shard = p_shard and h.partition_id = p_partition_id and h.message_offset < v_to;
  update queen.partitions p set first_offset = v_to where p.shard = p_shard and p.id = p_partition_id;
  return v_to - v_first;
end
$$;
