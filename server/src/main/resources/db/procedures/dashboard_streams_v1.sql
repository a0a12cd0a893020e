-- revision: 1
-- A page of the queries of stream processors whose name contains p_search (null: all), by name. matched: how many
-- there are on all pages; one row at least. lanes and keys: source partitions, and keys of their state, counted as far
-- as 1,000.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.dashboard_streams_v1(
  p_shard smallint,
  p_search text,
  p_limit integer,
  p_offset integer
) returns table (
  matched bigint,
  query_id uuid,
  name text,
  source_queue text,
  sink_queue text,
  config_hash text,
  created_at timestamptz,
  updated_at timestamptz,
  lanes bigint,
  keys bigint
)
language sql
stable
set jit = off
as $$
  with found as materialized (
    select q.*
    from queen.stream_queries q
    where p_search is null or position(lower(p_search) in lower(q.name)) > 0
      or position(lower(p_search) in lower(q.source_queue)) > 0
  )
  select c.matched, q.id, q.name, q.source_queue, q.sink_queue, q.config_hash, q.created_at, q.updated_at, l.lanes,
         k.keys
  from (select count(*) as matched from found) c
  left join (select f.* from found f order by f.name limit p_limit offset p_offset) q on true
  cross join lateral (
    select count(*) as lanes
    from (select from queen.stream_lanes l where l.shard = p_shard and l.query_id = q.id limit 1000) l
  ) l
  cross join lateral (
    select count(*) as keys
    from (select from queen.stream_state s where s.shard = p_shard and s.query_id = q.id limit 1000) s
  ) k
  order by q.name
$$;
