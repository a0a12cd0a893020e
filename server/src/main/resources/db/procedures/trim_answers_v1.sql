-- revision: 2
-- Removes what redrives answered more than a day ago, at most p_limit, and the capacities of queues that were deleted
-- in the table. Answers how many rows were removed.
--
-- Called by: the broker.
-- Locks: the rows that are removed, skipped if locked.
create or replace function queen.trim_answers_v1(p_shard smallint, p_limit integer) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_rows integer;
  v_total integer;
begin
  delete from queen.redrives r
  where r.shard = p_shard and r.ctid = any (array(
    select r.ctid
    from queen.redrives r
    where r.shard = p_shard and r.made_at < clock_timestamp() - interval '1 day'
    limit p_limit
    for update skip locked));
  get diagnostics v_total = row_count;

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
