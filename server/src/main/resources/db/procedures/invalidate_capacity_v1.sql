-- revision: 1
-- Makes the next push to each of these queues count its messages again, if it has a maxSize: a group is being moved
-- there, so that more messages may be undone than the last count says. Called before cursors are locked.
--
-- Called by: delete_group_v1, move_subscription_v1, redrive_v1, seek_v1.
-- Locks: capacities, in queue order.
create or replace function queen.invalidate_capacity_v1(p_shard smallint, p_queue_ids uuid[]) returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
begin
  update queen.capacities c
  set version = -1
  where c.shard = p_shard and c.ctid = any (array(
    select c.ctid
    from queen.capacities c
    where c.shard = p_shard and c.queue_id = any (p_queue_ids)
    order by c.queue_id
    for no key update));
end
$$;
