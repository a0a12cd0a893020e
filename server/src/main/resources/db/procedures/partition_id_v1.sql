-- revision: 3
-- The id of a partition by its names; null if there is none.
--
-- Called by: the broker, delete_partition_v1.
-- Locks: none.
create or replace function queen.partition_id_v1(p_shard smallint, p_queue text, p_partition text)
returns uuid
language sql
stable
as $$
  select p.id
  from queen.queues q
  join queen.partitions p on p.queue_id = q.id and p.name = p_partition and p.shard = p_shard
  where q.name = p_queue;
$$;
