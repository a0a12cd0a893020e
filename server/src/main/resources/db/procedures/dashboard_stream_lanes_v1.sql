-- revision: 1
-- A page of the source partitions of a stream processor's query. keys: of the state there, counted as far as 1,000.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.dashboard_stream_lanes_v1(
  p_shard smallint,
  p_query_id uuid,
  p_limit integer,
  p_offset integer
) returns table (partition_id uuid, queue text, partition text, keys bigint, updated_at timestamptz)
language sql
stable
set jit = off
as $$
  select l.partition_id, q.name, p.name, s.keys, s.updated_at
  from (
    select l.partition_id
    from queen.stream_lanes l
    where l.shard = p_shard and l.query_id = p_query_id
    order by l.partition_id
    limit p_limit
    offset p_offset
  ) l
  left join queen.partitions p on p.shard = p_shard and p.id = l.partition_id
  left join queen.queues q on q.id = p.queue_id
  cross join lateral (
    select count(*) as keys, max(s.updated_at) as updated_at
    from (
      select s.updated_at
      from queen.stream_state s
      where s.shard = p_shard and s.query_id = p_query_id and s.partition_id = l.partition_id
      limit 1000
    ) s
  ) s
  order by q.name, p.name, l.partition_id
$$;
