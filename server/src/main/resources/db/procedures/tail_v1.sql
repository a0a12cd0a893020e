-- revision: 3
-- The tail feed: which partitions got messages since the last look, and which groups were moved on which queues. A look
-- is a snapshot; the next one reads exactly the transactions that this one could not see: those that began after it (at
-- or above its xmax) and those that ran when it was taken (its xip). So each commit is reported once, however long it
-- took. The first look passes null and learns where to start. A look also says how many other brokers are up: if there
-- are none, the caller already knows everything that happens.
--
-- The tail and the list of brokers are empty after a crash of PostgreSQL, both together. So a caller that is not on the
-- list any more has missed what the tail would have said.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.tail_v1(
  p_shard smallint,
  p_snapshot text,
  p_known xid8[],  -- transactions that are left out: the caller made them
  p_broker uuid,  -- the caller, as it has registered; null: count all brokers
  p_living interval,  -- a broker that was seen within this time is up
  out o_snapshot text,
  out o_partition_ids uuid[],
  out o_moved_queues text[],  -- pairs: the group at the same place in the next was moved
  out o_moved_groups text[],
  out o_now timestamptz,  -- the clock that leases and delays go by
  out o_others integer  -- how many other brokers are up; null: the caller is not registered any more
)
language plpgsql
stable  -- one snapshot for the query and for its name
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_running xid8[] := array(select pg_snapshot_xip(p_snapshot::pg_snapshot));
begin
  with t as materialized (
    select t.partition_ids, t.queue, t.consumer_group from queen.tail t
    where t.shard = p_shard and t.xid >= pg_snapshot_xmax(p_snapshot::pg_snapshot)
      and t.xid not in (select unnest(p_known))
    union all
    select t.partition_ids, t.queue, t.consumer_group from queen.tail t
    where t.shard = p_shard and t.xid = any (v_running) and t.xid not in (select unnest(p_known))
  )
  select pg_current_snapshot()::text,
         (select coalesce(array_agg(distinct u.id), '{}') from t cross join lateral unnest(t.partition_ids) as u (id)),
         coalesce(array_agg(m.queue), '{}'), coalesce(array_agg(m.consumer_group), '{}')
  into o_snapshot, o_partition_ids, o_moved_queues, o_moved_groups
  from (select distinct t.queue, t.consumer_group from t where t.queue is not null) m;
  o_now := clock_timestamp();
  o_others := (
    select count(*) filter (where b.broker is distinct from p_broker and b.seen_at > o_now - p_living)
    from queen.living_brokers b
    where b.shard = p_shard
    having p_broker is null or bool_or(b.broker = p_broker));
end
$$;
