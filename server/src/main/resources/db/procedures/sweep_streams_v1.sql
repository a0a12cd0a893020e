-- revision: 3
-- Removes what stream processors kept for partitions that no longer exist, as the caller has made sure: at most p_limit
-- rows of state or of answers in one call, and once there are none, the lanes. Answers how many rows were removed.
--
-- Called by: sweep_v1.
-- Locks: lanes, in key order, and nothing else: a cycle that is under way holds its lane while it waits for cursors.
create or replace function queen.sweep_streams_v1(p_shard smallint, p_partition_ids uuid[], p_limit integer)
returns integer
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_queries uuid[];
  v_ids uuid[];
  v_rows integer;
  v_total integer := 0;
begin
  select array_agg(l.query_id), array_agg(l.partition_id) into v_queries, v_ids
  from (
    select l.query_id, l.partition_id
    from queen.stream_lanes l
    where l.shard = p_shard and l.partition_id = any (p_partition_ids)
    order by l.partition_id, l.query_id
    for update
  ) l;
  if v_ids is null then
    return 0;
  end if;

  delete from queen.stream_state s
  where s.shard = p_shard and s.ctid = any (array(
    select s.ctid
    from unnest(v_queries, v_ids) as u (query_id, id)
    cross join lateral (
      select s.ctid from queen.stream_state s
      where s.shard = p_shard and s.query_id = u.query_id and s.partition_id = u.id
      offset 0
    ) s
    limit p_limit));
  get diagnostics v_total = row_count;
  delete from queen.stream_cycles c
  where c.shard = p_shard and c.ctid = any (array(
    select c.ctid
    from unnest(v_queries, v_ids) as u (query_id, id)
    cross join lateral (
      select c.ctid from queen.stream_cycles c
      where c.shard = p_shard and c.query_id = u.query_id and c.partition_id = u.id
      offset 0
    ) c
    limit p_limit));
  get diagnostics v_rows = row_count;
  v_total := v_total + v_rows;
  if v_total = 0 then
    delete from queen.stream_lanes l where l.shard = p_shard and l.partition_id = any (p_partition_ids);
    get diagnostics v_total = row_count;
  end if;
  return v_total;
end
$$;
