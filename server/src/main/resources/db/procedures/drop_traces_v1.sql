-- revision: 1
-- Removes traces of partitions, at most p_limit of them: those of messages below p_below[i], or all where it is null.
-- Answers how many went. Others who do the same meanwhile pass over what is being removed here.
-- Locks: traces, in key order; then the counts of their names, in name order.
create or replace function queen.drop_traces_v1(
  p_shard smallint,
  p_partition_ids uuid[],
  p_below bigint[],
  p_limit integer
) returns integer
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_rows tid[];
  v_partitions uuid[];
  v_offsets bigint[];
  v_ids uuid[];
  -- what went of each name and message
  v_names text[];
  v_of uuid[];
  v_at bigint[];
  v_counts bigint[];
begin
  select array_agg(t.row_id), array_agg(t.partition_id), array_agg(t.message_offset), array_agg(t.id)
  into v_rows, v_partitions, v_offsets, v_ids
  from (
    select t.*
    from (
      select u.id, u.below from unnest(p_partition_ids, p_below) as u (id, below) order by u.id offset 0
    ) u
    cross join lateral (
      select t.ctid as row_id, t.partition_id, t.message_offset, t.id
      from queen.traces t
      where t.shard = p_shard and t.partition_id = u.id and t.message_offset < coalesce(u.below, 9223372036854775807)
      order by t.message_offset, t.id
      limit p_limit
      for update skip locked
    ) t
    limit p_limit
  ) t;
  if v_rows is null then
    return 0;
  end if;

  perform from (
    select distinct n.name
    from unnest(v_partitions, v_offsets, v_ids) as u (id, o, trace_id)
    cross join lateral (
      select n.name
      from queen.trace_names n
      where n.shard = p_shard and n.partition_id = u.id and n.message_offset = u.o and n.trace_id = u.trace_id
      offset 0
    ) n
    order by n.name
    offset 0
  ) n
  cross join lateral (
    select from queen.trace_name_counts c where c.shard = p_shard and c.name = n.name for update
  ) c;
  with gone as (
    delete from queen.trace_names n
    using unnest(v_partitions, v_offsets, v_ids) as u (id, o, trace_id)
    where n.shard = p_shard and n.partition_id = u.id and n.message_offset = u.o and n.trace_id = u.trace_id
    returning n.name, n.partition_id, n.message_offset
  )
  select array_agg(g.name), array_agg(g.partition_id), array_agg(g.message_offset), array_agg(g.traces)
  into v_names, v_of, v_at, v_counts
  from (
    select g.name, g.partition_id, g.message_offset, count(*) as traces from gone g group by 1, 2, 3
  ) g;
  -- A message counts until its last trace of that name goes.
  update queen.trace_name_counts c
  set traces = c.traces - d.traces, messages = c.messages - d.messages
  from (
    select u.name, sum(u.traces)::bigint as traces, count(*) filter (where k.name is null) as messages
    from unnest(v_names, v_of, v_at, v_counts) as u (name, id, o, traces)
    left join lateral (
      select n.name
      from queen.trace_names n
      where n.shard = p_shard and n.partition_id = u.id and n.message_offset = u.o and n.name = u.name
      limit 1
    ) k on true
    group by u.name
  ) d
  where c.shard = p_shard and c.name = d.name;
  delete from queen.trace_name_counts c where c.shard = p_shard and c.name = any (v_names) and c.traces <= 0;
  delete from queen.traces t where t.ctid = any (v_rows);
  return cardinality(v_rows);
end
$$;
