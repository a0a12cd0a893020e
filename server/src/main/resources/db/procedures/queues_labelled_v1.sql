-- revision: 2
-- The names of the queues with a namespace and a task (null: any), the most important first.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.queues_labelled_v1(p_namespace text, p_task text) returns text[]
language sql
stable
as $$
  select coalesce(array_agg(q.name order by q.priority desc, q.name), '{}')
  from queen.queues q
  where (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
$$;
