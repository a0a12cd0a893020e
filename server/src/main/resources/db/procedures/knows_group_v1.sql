-- revision: 1
-- Whether a group has subscribed to a queue or has a cursor in it; null if there is no such queue.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.knows_group_v1(p_shard smallint, p_queue text, p_group text)
returns boolean
language plpgsql
stable
set enable_seqscan = off
set jit = off
as $$
declare
  v_queue_id uuid := (select q.id from queen.queues q where q.name = p_queue);
begin
  if v_queue_id is null then
    return null;
  end if;
  return exists (
      select from queen.subscriptions s where s.shard = p_shard and s.queue = p_queue and s.consumer_group = p_group)
    or exists (
      select
      from queen.partitions p
      cross join lateral (
        select from queen.cursors c
        where c.shard = p_shard and c.partition_id = p.id and c.consumer_group = p_group
        offset 0
      ) c
      where p.shard = p_shard and p.queue_id = v_queue_id);
end
$$;
