-- revision: 2
-- Whether an ack may have to make the cursor of a group on a partition: it has none, and has subscribed to the queue or
-- to a partition of it. Consumers without a group have no subscription: their cursors are made by pops.
--
-- Called by: ack_v1, stream_ack_v1.
-- Locks: none.
create or replace function queen.may_open_v1(p_shard smallint, p_partition_id uuid, p_group text) returns boolean
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  return not exists (
      select from queen.cursors c
      where c.shard = p_shard and c.partition_id = p_partition_id and c.consumer_group = p_group)
    and exists (
      select
      from queen.partitions p
      join queen.queues q on q.id = p.queue_id
      cross join lateral (
        select from queen.subscriptions s
        where s.shard = p_shard and s.queue = q.name and s.consumer_group = p_group
        limit 1
      ) s
      where p.shard = p_shard and p.id = p_partition_id);
end
$$;
