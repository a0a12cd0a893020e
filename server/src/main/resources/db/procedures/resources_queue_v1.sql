-- revision: 2
-- One queue by name, and how many partitions it has; no row if there is none. Without a name (null) one row that counts
-- all partitions.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.resources_queue_v1(p_shard smallint, p_queue text)
returns table (queue_id uuid, queue text, namespace text, task text, created_at timestamptz, partitions bigint)
language sql
stable
as $$
  select q.id, q.name, q.namespace, q.task, q.created_at,
         (select count(*) from queen.partitions p where p.queue_id = q.id and p.shard = p_shard)
  from queen.queues q
  where q.name = p_queue
  union all
  select null, null, null, null, null, (select count(*) from queen.partitions p where p.shard = p_shard)
  where p_queue is null
$$;
