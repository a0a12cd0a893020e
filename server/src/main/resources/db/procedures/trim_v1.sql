-- revision: 3
-- Removes hints that have served: tail entries older than p_keep, the lists of leases that no cursor holds any more, and
-- what redrives answered more than a day ago, and how full queues are that were deleted in the table. Answers how many rows went.
create or replace function queen.trim_v1(p_shard smallint, p_keep interval, p_limit integer) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_before constant timestamptz := clock_timestamp() - p_keep;
  v_rows integer;
  v_total integer;
begin
  delete from queen.tail t
  where t.shard = p_shard and t.ctid = any (array(
    select o.row_id
    from (
      select t.ctid as row_id, t.appended_at from queen.tail t
      where t.shard = p_shard order by t.shard, t.xid limit p_limit
    ) o
    where o.appended_at < v_before));
  get diagnostics v_total = row_count;

  delete from queen.leases l
  where l.shard = p_shard and l.ctid = any (array(
    select l.ctid
    from queen.leases l
    where l.shard = p_shard and l.created_at < v_before
      and not exists (
        select from unnest(l.partition_ids) as p (id)
        join queen.cursors c on c.shard = p_shard and c.partition_id = p.id and c.consumer_group = l.consumer_group
        where c.lease_id = l.lease_id)
    limit p_limit));
  get diagnostics v_rows = row_count;
  v_total := v_total + v_rows;

  delete from queen.redrives r
  where r.shard = p_shard and r.ctid = any (array(
    select r.ctid
    from queen.redrives r
    where r.shard = p_shard and r.made_at < clock_timestamp() - interval '1 day'
    limit p_limit));
  get diagnostics v_rows = row_count;
  v_total := v_total + v_rows;

  -- Without waiting: a push or a trim of another broker may hold it.
  delete from queen.capacities c
  where c.shard = p_shard and c.ctid = any (array(
    select c.ctid from queen.capacities c
    where c.shard = p_shard and not exists (select from queen.queues q where q.id = c.queue_id)
    for update skip locked));
  get diagnostics v_rows = row_count;
  return v_total + v_rows;
end
$$;
