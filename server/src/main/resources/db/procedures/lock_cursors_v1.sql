-- revision: 2
-- Locks all cursors of partitions. A call of its own: only the statement after it sees what the last holder of a lock
-- wrote.
--
-- Called by: delete_message_v1, redrive_v1.
-- Locks: cursors, in key order.
create or replace function queen.lock_cursors_v1(p_shard smallint, p_partition_ids uuid[]) returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  perform from queen.cursors c
  where c.shard = p_shard and c.partition_id = any (p_partition_ids)
  order by c.partition_id, c.consumer_group
  for no key update;
end
$$;
