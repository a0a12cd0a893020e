-- revision: 2
-- The progress of groups at a moment in each partition that they read.
--   opened     it has a cursor there; else it is counted from where open_cursors_v1 would make one
--   lag        messages stored and not done, leased ones included
--   oldest_at  when the oldest of these was created
--   lease_id   of the lease that one of its consumers holds
--   consumed   messages done since the group started there or was moved there by a seek
-- A group reads the partitions where it has a cursor, and those that its subscriptions cover. Consumers without a group
-- leave no subscription: once they have read one partition of a queue, they read all of it. The cost grows with
-- partitions and their groups, never with messages: at most one look into an index where there is a lag, or a search in
-- it where the group has no cursor. In SQL and without settings of its own, so that PostgreSQL inlines it into the
-- query that calls it, which sets them.
--
-- Called by: dashboard_lagging_v1, groups_v1, lagging_partitions_v1.
-- Locks: none.
create or replace function queen.group_lag_v1(p_shard smallint, p_now timestamptz)
returns table (
  consumer_group text,
  queue text,
  partition text,
  partition_id uuid,
  opened boolean,
  lag bigint,
  oldest_at timestamptz,
  lease_id uuid,
  consumed bigint,
  last_consumed_at timestamptz
)
language sql
stable
as $$
  select s.consumer_group, s.queue, s.partition, s.partition_id, s.opened, s.lag,
         case when s.newest then s.last_append_at else o.created_at end, s.lease_id, s.consumed, s.last_consumed_at
  from queen.group_offsets_v1(
    p_shard, p_now, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', null) s
  left join lateral (
    select g.created_at
    from queen.segments g
    where s.lag > 0 and not s.newest and g.shard = p_shard and g.partition_id = s.partition_id
      and g.base_offset <= s.low
    order by g.base_offset desc
    limit 1
  ) o on true
$$;
