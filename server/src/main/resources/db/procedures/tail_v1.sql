-- revision: 1
-- The tail feed: which partitions got messages since the last look. A look is a snapshot; the next one reads exactly
-- the transactions that this one could not see: those that began after it (at or above its xmax) and those that ran
-- when it was taken (its xip). So each commit is told once, however long it took. The first look passes null and
-- learns where to start.
create or replace function queen.tail_v1(
  p_shard smallint,
  p_snapshot text,
  p_known xid8[],  -- transactions that need not be told: the caller made them
  out o_snapshot text,
  out o_partition_ids uuid[],
  out o_now timestamptz  -- the clock that leases and delays go by
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
  select pg_current_snapshot()::text, (
    select coalesce(array_agg(distinct u.id), '{}')
    from (
      select t.partition_ids from queen.tail t
      where t.shard = p_shard and t.xid >= pg_snapshot_xmax(p_snapshot::pg_snapshot) and t.xid not in (select unnest(p_known))
      union all
      select t.partition_ids from queen.tail t
      where t.shard = p_shard and t.xid = any (v_running) and t.xid not in (select unnest(p_known))
    ) t
    cross join lateral unnest(t.partition_ids) as u (id)
  )
  into o_snapshot, o_partition_ids;
  o_now := clock_timestamp();
end
$$;
