-- revision: 2
-- The dead letters of one queue (p_queue_id; null: of all) that match everything given: the partition by name or id,
-- the group, when they failed (from p_from on, before p_until), their transaction ids. With the names of the queue and
-- the partition; those whose partition is gone are left out. In SQL and without settings of its own, so that PostgreSQL
-- inlines it into the query that calls it, which sets them.
--
-- Called by: dead_letters_v1, purge_v1, redrive_v1, unsealed_letters_v1.
-- Locks: none.
create or replace function queen.selected_dead_letters_v1(
  p_shard smallint,
  p_queue_id uuid,
  p_partition text,
  p_partition_id uuid,
  p_group text,
  p_from timestamptz,
  p_until timestamptz,
  p_transaction_ids text[]
) returns table (letter queen.dead_letters, queue text, partition text)
language sql
stable
as $$
  select d, q.name, p.name
  from queen.dead_letters d
  join queen.partitions p on p.shard = p_shard and p.id = d.partition_id
  join queen.queues q on q.id = p.queue_id
  where d.shard = p_shard
    and (p_queue_id is null or d.queue_id = p_queue_id)
    and (p_partition is null or p.name = p_partition)
    and (p_partition_id is null or d.partition_id = p_partition_id)
    and (p_group is null or d.consumer_group = p_group)
    and (p_from is null or d.failed_at >= p_from)
    and (p_until is null or d.failed_at < p_until)
    and (p_transaction_ids is null or d.transaction_id = any (p_transaction_ids))
$$;
