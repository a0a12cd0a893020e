-- revision: 4
-- Changes where a group starts, on all queues it has subscribed to: after a moment. Only partitions that it has not
-- read yet follow; those with a cursor stay where they are. Answers how many subscriptions were changed, and on which
-- queues; the tail reports them to every broker.
--
-- Called by: the broker.
-- Locks: hiding (shared); the queues' capacities; subscriptions, in key order.
create or replace function queen.move_subscription_v1(
  p_shard smallint,
  p_group text,
  p_moment timestamptz,
  out o_updated integer,
  out o_queues text[]
)
language plpgsql
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_rows tid[];
begin
  perform queen.hiding_lock_v1(p_shard, false);
  perform queen.invalidate_capacity_v1(p_shard, array(
    select q.id
    from queen.queues q
    where exists (
      select from queen.subscriptions s where s.shard = p_shard and s.queue = q.name and s.consumer_group = p_group)));
  v_rows := array(
    select s.ctid
    from queen.subscriptions s
    where s.shard = p_shard and s.consumer_group = p_group
    order by s.queue, s.partition
    for no key update);
  with moved as (
    update queen.subscriptions s
    set mode = 'timestamp', started_at = p_moment
    where s.shard = p_shard and s.ctid = any (v_rows)
    returning s.queue
  )
  select count(*), coalesce(array_agg(distinct m.queue), '{}') into o_updated, o_queues from moved m;
  insert into queen.tail (shard, xid, appended_at, partition_ids, queue, consumer_group)
  select p_shard, pg_current_xact_id(), clock_timestamp(), '{}', u.queue, p_group
  from unnest(o_queues) as u (queue);
end
$$;
