-- revision: 2
-- The labels and the priority of a queue; no row if there is no such queue.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.queue_labels_v1(p_queue text)
returns table (namespace text, task text, priority integer)
language sql
stable
as $$
  select q.namespace, q.task, q.priority from queen.queues q where q.name = p_queue and q.deleted_at is null
$$;
