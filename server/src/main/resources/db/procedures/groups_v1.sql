-- revision: 3
-- All groups, one row for each queue that a group reads or waits for, by group and queue: sums over its partitions (see
-- group_lag_v1), how many seconds ago the oldest message was created that it has not done, and where it starts in
-- partitions it has not read, if that is recorded for the whole queue. Where there are more than p_live partitions and
-- cursors, the sums are those of statistics_step_v1, and stats_age is their age in seconds; else it is 0.
--
-- Called by: the broker, dashboard_groups_v1.
-- Locks: none.
create or replace function queen.groups_v1(p_shard smallint, p_live integer)
returns table (
  consumer_group text,
  queue text,
  opened bigint,
  leased bigint,
  lagging bigint,
  lag bigint,
  time_lag bigint,
  consumed boolean,
  mode text,
  started_at timestamptz,
  subscribed_at timestamptz,
  stats_age double precision
)
language plpgsql
stable
set work_mem = '32MB'
set jit = off
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
  v_live constant boolean := queen.statistics_live_v1(p_shard, p_live);
  v_age double precision := 0;
begin
  if v_live then
    return query
      select g.consumer_group, g.queue, count(*) filter (where g.opened), count(g.lease_id),
             count(*) filter (where g.lag > 0), sum(g.lag)::bigint,
             greatest(floor(extract(epoch from v_now - min(g.oldest_at))), 0)::bigint,
             bool_or(g.last_consumed_at is not null), max(g.mode), max(g.started_at), max(g.subscribed_at), v_age
      from (
        select p.consumer_group, p.queue, p.opened, p.lease_id, p.lag, p.oldest_at, p.last_consumed_at,
               null::text as mode, null::timestamptz as started_at, null::timestamptz as subscribed_at
        from queen.group_lag_v1(p_shard, v_now) p
        union all
        select s.consumer_group, s.queue, false, null, 0, null, null, case when s.partition = '' then s.mode end,
               case when s.partition = '' then s.started_at end, case when s.partition = '' then s.created_at end
        from queen.subscriptions s
        where s.shard = p_shard
      ) g
      group by g.consumer_group, g.queue
      order by g.consumer_group collate "C", g.queue collate "C";
    return;
  end if;
  v_age := (
    select extract(epoch from v_now - s.refreshed_at) from queen.statistics_state s where s.shard = p_shard);
  return query
    select g.consumer_group, g.queue, sum(g.opened)::bigint, sum(g.leased)::bigint, sum(g.lagging)::bigint,
           sum(g.lag)::bigint, greatest(floor(extract(epoch from v_now - min(g.oldest_at))), 0)::bigint,
           bool_or(g.consumed), max(g.mode), max(g.started_at), max(g.subscribed_at), v_age
    from (
      select t.consumer_group, q.name as queue, t.opened, t.leased, t.lagging, t.lag, t.oldest_at, t.consumed,
             null::text as mode, null::timestamptz as started_at, null::timestamptz as subscribed_at
      from queen.statistics_groups t
      join queen.queues q on q.id = t.queue_id
      where t.shard = p_shard
      union all
      select s.consumer_group, s.queue, 0, 0, 0, 0, null, false, case when s.partition = '' then s.mode end,
             case when s.partition = '' then s.started_at end, case when s.partition = '' then s.created_at end
      from queen.subscriptions s
      where s.shard = p_shard
    ) g
    group by g.consumer_group, g.queue
    order by g.consumer_group collate "C", g.queue collate "C";
end
$$;
