-- revision: 2
-- Ends a lease on every partition that it holds, as if it expired now: its messages can be delivered at once, acks with
-- it are refused, and the next batch of each partition is halved. Answers the partitions where it was live; none: there
-- is no such lease. A lease is found by its id alone: see pop_v1.
--
-- Called by: the broker.
-- Locks: cursors, in key order.
create or replace function queen.end_lease_v1(
  p_shard smallint,
  p_lease_id uuid,
  out o_queues text[],
  out o_partition_ids uuid[],
  out o_partitions text[],
  out o_groups text[]
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_rows tid[];
begin
  -- Locked by a statement of its own: the next one then finds each row where it is.
  v_rows := array(
    select c.row_id
    from (
      select u.partition_id, u.consumer_group
      from queen.lease_cursors_v1(p_shard, p_lease_id) u
      order by u.partition_id, u.consumer_group collate "C"
      offset 0
    ) k
    cross join lateral (
      select c.ctid as row_id, c.lease_id, c.lease_expires_at
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = k.partition_id and c.consumer_group = k.consumer_group
      for no key update
    ) c
    where c.lease_id = p_lease_id and c.lease_expires_at > clock_timestamp());

  with ended as (
    update queen.cursors c
    set lease_expires_at = clock_timestamp()
    where c.shard = p_shard and c.ctid = any (v_rows)
    returning c.partition_id, c.consumer_group
  )
  select coalesce(array_agg(q.name), '{}'), coalesce(array_agg(e.partition_id), '{}'),
         coalesce(array_agg(p.name), '{}'), coalesce(array_agg(e.consumer_group), '{}')
  into o_queues, o_partition_ids, o_partitions, o_groups
  from ended e
  join queen.partitions p on p.shard = p_shard and p.id = e.partition_id
  join queen.queues q on q.id = p.queue_id;
end
$$;
