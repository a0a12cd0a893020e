-- revision: 2
-- The queues that a registered query reads and writes, by the query's id; none if there is no such query.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.stream_query_queues_v1(p_id uuid) returns text[]
language sql
stable
as $$
  select coalesce(
    (select array_remove(array[s.source_queue, s.sink_queue], null) from queen.stream_queries s where s.id = p_id),
    '{}')
$$;
