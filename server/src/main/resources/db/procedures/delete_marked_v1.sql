-- revision: 3
-- A step of the removal of queues that delete_queues_v1 has marked: at most p_limit partitions of one of them, or, when
-- it has none left, the queue. Answers the partitions, for sweep_v1, and whether there is more to do. A queue that
-- another broker is removing is skipped.
--
-- Called by: the broker, upkeep_orphans_v1.
-- Locks: the queue, then partitions in id order.
create or replace function queen.delete_marked_v1(
  p_shard smallint,
  p_limit integer,
  out o_partition_ids uuid[],
  out o_more boolean
)
language plpgsql
set enable_seqscan = off
set jit = off
as $$
declare
  v_queue_id uuid;
begin
  o_partition_ids := '{}';
  select q.id into v_queue_id
  from queen.queues q
  where q.deleted_at is not null
  order by q.deleted_at
  limit 1
  for update skip locked;
  o_more := found;
  if not o_more then
    return;
  end if;
  select coalesce(array_agg(p.id order by p.id), '{}') into o_partition_ids
  from (
    select p.id from queen.partitions p where p.shard = p_shard and p.queue_id = v_queue_id limit p_limit
  ) p;
  if o_partition_ids = '{}' then
    delete from queen.queues q where q.id = v_queue_id;
    return;
  end if;
  perform from (
    select from queen.partitions p
    where p.shard = p_shard and p.id = any (o_partition_ids)
    order by p.id
    for update
  ) p;
  delete from queen.partitions p where p.shard = p_shard and p.id = any (o_partition_ids);
end
$$;
