-- revision: 2
-- Partitions in which the oldest message that a group has not done is older than p_seconds, the oldest first, at most
-- p_limit of them. See group_lag_v1. Where there are more than p_live partitions and cursors, only those are looked at
-- that statistics_step_v1 has recorded as lagging; their figures are current.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.lagging_partitions_v1(
  p_shard smallint,
  p_seconds integer,
  p_limit integer,
  p_live integer
) returns table (
  consumer_group text,
  queue text,
  partition text,
  partition_id uuid,
  lease_id uuid,
  lag bigint,
  time_lag bigint,
  oldest_at timestamptz,
  last_consumed_at timestamptz
)
language plpgsql
stable
set work_mem = '32MB'
set jit = off
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
begin
  if queen.statistics_live_v1(p_shard, p_live) then
    return query
      select p.consumer_group, p.queue, p.partition, p.partition_id, p.lease_id, p.lag,
             floor(extract(epoch from v_now - p.oldest_at))::bigint, p.oldest_at, p.last_consumed_at
      from queen.group_lag_v1(p_shard, v_now) p
      where floor(extract(epoch from v_now - p.oldest_at)) > p_seconds
      order by p.oldest_at, p.consumer_group collate "C", p.queue collate "C", p.partition collate "C"
      limit p_limit;
    return;
  end if;
  return query select * from queen.lagging_cached_v1(p_shard, p_seconds, p_limit);
end
$$;
