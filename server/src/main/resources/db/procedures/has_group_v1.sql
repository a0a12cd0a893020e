-- revision: 2
-- Whether a group has subscribed to a queue, or to one partition of it; with neither, whether it has subscribed to any.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.has_group_v1(p_shard smallint, p_queue text, p_partition text, p_group text)
returns boolean
language plpgsql
stable
set jit = off
as $$
begin
  if p_queue is null then
    return exists (
      select from queen.subscriptions s where s.shard = p_shard and s.consumer_group = p_group);
  end if;
  return exists (
    select from queen.subscriptions s
    where s.shard = p_shard and s.queue = p_queue and s.consumer_group = p_group
      and (s.partition = '' or s.partition = p_partition));
end
$$;
