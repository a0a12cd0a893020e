-- revision: 1
-- A page of the partitions of a queue whose names start with p_prefix, by name: see resources_partitions_v1. matched:
-- how many there are on all pages, as far as 100,000; one row at least if there is such a queue, none otherwise. Found
-- along the index by name: names that come before the prefix are counted, not read.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.dashboard_lanes_v1(
  p_shard smallint,
  p_queue text,
  p_prefix text,
  p_limit integer,
  p_offset integer
) returns table (
  matched bigint,
  partition_id uuid,
  partition text,
  created_at timestamptz,
  last_append_at timestamptz,
  total bigint,
  pending bigint,
  processing bigint,
  dead_letter bigint,
  oldest_at timestamptz,
  last_consumed_at timestamptz
)
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set plan_cache_mode = force_custom_plan
set jit = off
as $$
#variable_conflict use_column
declare
  v_queue constant uuid := (select q.id from queen.queues q where q.name = p_queue and q.deleted_at is null);
  -- Behind all names that start with the prefix.
  v_last constant text := p_prefix || chr(1114111);
  v_before bigint;
  v_matched bigint;
begin
  if v_queue is null then
    return;
  end if;
  select count(*) into v_before
  from queen.partitions p
  where p.shard = p_shard and p.queue_id = v_queue and p.name < p_prefix collate "C" and p_prefix <> '';
  select count(*) into v_matched
  from (
    select from queen.partitions p
    where p.shard = p_shard and p.queue_id = v_queue and p.name >= p_prefix collate "C" and p.name < v_last collate "C"
    limit 100000
  ) p;
  return query
    select v_matched, p.partition_id, p.partition, p.created_at, p.last_append_at, p.total, p.pending, p.processing,
           p.dead_letter, p.oldest_at, p.last_consumed_at
    from (select) one
    left join queen.resources_partitions_v1(
      p_shard, v_queue, least(p_limit, greatest(v_matched - p_offset, 0))::integer, (v_before + p_offset)::integer,
      true) p on true;
end
$$;
