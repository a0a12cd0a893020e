-- revision: 4
-- Removes the rows of partitions that no longer exist: at most p_limit segments in one call; once there are none left,
-- as many traces, then what streams kept; then cursors, attempts, dead letters and hidden offsets. Answers how many
-- rows were removed; 0 when nothing is left. Partitions that exist are left alone, whatever the caller says.
--
-- Called by: the broker, upkeep_orphans_v1.
-- Locks: one kind in one call: segments, by their place in the table, which is the same order for all; traces; lanes;
-- or cursors in key order and then their rows in other tables, likewise.
create or replace function queen.sweep_v1(p_shard smallint, p_partition_ids uuid[], p_limit integer)
returns integer
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_ids uuid[] := array(
    select u.id
    from unnest(p_partition_ids) as u (id)
    left join lateral (
      select p.id from queen.partitions p where p.shard = p_shard and p.id = u.id offset 0
    ) p on true
    where p.id is null);
  v_rows integer;
  v_total integer := 0;
begin
  delete from queen.segments s
  where s.shard = p_shard and s.ctid = any (array(
    select s.row_id
    from unnest(v_ids) as u (id)
    cross join lateral (
      select s.ctid as row_id from queen.segments s where s.shard = p_shard and s.partition_id = u.id offset 0
    ) s
    limit p_limit));
  get diagnostics v_total = row_count;
  if v_total = 0 then
    v_total := queen.drop_traces_v1(p_shard, v_ids, null, null, p_limit);
  end if;
  if v_total = 0 then
    v_total := queen.sweep_streams_v1(p_shard, v_ids, p_limit);
  end if;
  if v_total = 0 then
    -- In key order, as all transactions lock cursors: some may still be popped or acked.
    delete from queen.cursors c
    using (
      select c.ctid as row_id
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = any (v_ids)
      order by c.partition_id, c.consumer_group
      for update
    ) d
    where c.shard = p_shard and c.ctid = d.row_id;
    get diagnostics v_rows = row_count;
    v_total := v_total + v_rows;
    delete from queen.attempts a
    where a.shard = p_shard and a.ctid = any (array(
      select a.ctid from queen.attempts a where a.shard = p_shard and a.partition_id = any (v_ids)));
    get diagnostics v_rows = row_count;
    v_total := v_total + v_rows;
    delete from queen.dead_letters d
    where d.shard = p_shard and d.ctid = any (array(
      select d.ctid from queen.dead_letters d where d.shard = p_shard and d.partition_id = any (v_ids)));
    get diagnostics v_rows = row_count;
    v_total := v_total + v_rows;
    delete from queen.hidden h
    where h.shard = p_shard and h.ctid = any (array(
      select h.ctid from queen.hidden h where h.shard = p_shard and h.partition_id = any (v_ids)));
    get diagnostics v_rows = row_count;
    v_total := v_total + v_rows;
  end if;
  return v_total;
end
$$;
