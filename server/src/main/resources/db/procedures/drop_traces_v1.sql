-- revision: 3
-- Removes traces of partitions, at most p_limit of them: those of messages from p_from[i] on and below p_below[i], or
-- all where these are null. Answers how many were removed. Traces that another call is removing are skipped. Names are
-- compared outside of the subqueries, so that the planner cannot take the primary key, which would go through all
-- traces of a name.
--
-- Called by: delete_message_v1, sweep_v1, trim_traces_v1.
-- Locks: traces, in key order; then the counts of their names, in name order.
create or replace function queen.drop_traces_v1(
  p_shard smallint,
  p_partition_ids uuid[],
  p_from bigint[],
  p_below bigint[],
  p_limit integer
) returns integer
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_rows tid[];
  -- their names, one by one
  v_names text[];
  v_partitions uuid[];
  v_offsets bigint[];
  v_ids uuid[];
begin
  v_rows := array(
    select t.row_id
    from (
      select u.id, u.low, u.below
      from unnest(p_partition_ids, p_from, p_below) as u (id, low, below)
      order by u.id, u.low
      offset 0
    ) u
    cross join lateral (
      select t.ctid as row_id
      from queen.traces t
      where t.shard = p_shard and t.partition_id = u.id and t.message_offset >= coalesce(u.low, 0)
        and t.message_offset < coalesce(u.below, 9223372036854775807)
      order by t.message_offset, t.id
      limit p_limit
      for update skip locked
    ) t
    limit p_limit);
  if v_rows = '{}' then
    return 0;
  end if;
  select array_agg(n.name), array_agg(t.partition_id), array_agg(t.message_offset), array_agg(t.id)
  into v_names, v_partitions, v_offsets, v_ids
  from queen.traces t
  cross join lateral unnest(t.names) as n (name)
  where t.shard = p_shard and t.ctid = any (v_rows);

  if v_names is not null then
    perform from (
      select distinct u.name collate "C" as name from unnest(v_names) as u (name) order by 1 offset 0
    ) n
    cross join lateral (
      select from queen.trace_name_counts c where c.shard = p_shard and c.name = n.name for update
    ) c;
    delete from queen.trace_names n
    where n.shard = p_shard and n.ctid = any (array(
      select n.row_id
      from unnest(v_names, v_partitions, v_offsets, v_ids) as u (name, id, o, trace_id)
      cross join lateral (
        select n.ctid as row_id, n.name, n.trace_id
        from queen.trace_names n
        where n.shard = p_shard and n.partition_id = u.id and n.message_offset = u.o
        offset 0
      ) n
      where n.name = u.name and n.trace_id = u.trace_id));
    update queen.trace_name_counts c
    set traces = c.traces - d.traces, messages = c.messages - d.messages
    from (
      select c.row_id, d.traces, d.messages
      from (
        -- A message counts until its last trace of that name goes.
        select u.name, sum(u.traces)::bigint as traces, count(*) filter (where k.name is null) as messages
        from (
          select u.name, u.id, u.o, count(*) as traces
          from unnest(v_names, v_partitions, v_offsets) as u (name, id, o)
          group by 1, 2, 3
        ) u
        left join lateral (
          select n.name
          from (
            select n.name from queen.trace_names n
            where n.shard = p_shard and n.partition_id = u.id and n.message_offset = u.o
            offset 0
          ) n
          where n.name = u.name
          limit 1
        ) k on true
        group by u.name
      ) d
      cross join lateral (
        select c.ctid as row_id from queen.trace_name_counts c where c.shard = p_shard and c.name = d.name offset 0
      ) c
    ) d
    where c.shard = p_shard and c.ctid = d.row_id;
    delete from queen.trace_name_counts c where c.shard = p_shard and c.name = any (v_names) and c.traces <= 0;
  end if;
  delete from queen.traces t where t.shard = p_shard and t.ctid = any (v_rows);
  return cardinality(v_rows);
end
$$;
