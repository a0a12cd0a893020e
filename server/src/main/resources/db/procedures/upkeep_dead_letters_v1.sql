-- revision: 3
-- A step of the removal of dead letters older than p_days, at most p_limit. One look into an index per queue, plus the
-- cost of what is removed. Rule 'dead-letters'.
--
-- Called by: the broker.
-- Locks: the job; then dead letters, skipped if locked: a transaction that makes one again holds its cursor.
create or replace function queen.upkeep_dead_letters_v1(
  p_shard smallint,
  p_token bigint,
  p_lease interval,
  p_days integer,
  p_limit integer,
  out o_state text,
  out o_removed bigint
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_l queen.upkeep_leases := queen.upkeep_hold_v1('dead-letters', p_token, p_lease);
  v_before timestamptz := clock_timestamp() - make_interval(days => p_days);
  v_rows tid[];
  v_q record;
begin
  o_removed := 0;
  if v_l.job is null then
    o_state := 'lost';
    return;
  end if;
  v_rows := array(
    select d.row_id
    from queen.queues q
    cross join lateral (
      select d.ctid as row_id
      from queen.dead_letters d
      where d.shard = p_shard and d.queue_id = q.id and d.failed_at < v_before
      order by d.failed_at
      limit p_limit
      for update skip locked
    ) d
    limit p_limit);
  for v_q in
    with gone as (
      delete from queen.dead_letters d
      where d.shard = p_shard and d.ctid = any (v_rows) and d.failed_at < v_before
      returning d.queue_id
    )
    select q.name, count(*) as removed from gone g join queen.queues q on q.id = g.queue_id group by q.name
  loop
    perform queen.upkeep_note_v1(v_l.run_id, v_q.name, 'dead-letters', v_q.removed);
    o_removed := o_removed + v_q.removed;
  end loop;
  o_state := case when cardinality(v_rows) = p_limit then 'more' else 'done' end;
end
$$;
