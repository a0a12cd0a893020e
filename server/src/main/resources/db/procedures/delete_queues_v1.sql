-- revision: 6
-- Removes queues with their partitions and subscriptions, at once and for all groups. The rows of the partitions in
-- other tables (segments, cursors, attempts, dead letters) are unreachable from then on and sweep_v1 removes them in
-- pieces; o_partition_ids says of which partitions.
--
-- A queue with more than p_many partitions is only marked (o_marked: there is such a queue): it loses its name, so that
-- it is not found any more and a new queue may have it, its pops are stopped, and pushes treat its partitions as gone.
-- delete_marked_v1 removes it, in steps.
--
-- Called by: the broker.
-- Locks: queues in name order, then their partitions in id order, then their capacities in queue order, then the
-- subscriptions to them in key order.
create or replace function queen.delete_queues_v1(
  p_shard smallint,
  p_queues text[],
  p_many integer,
  out o_existed boolean[],
  out o_partition_ids uuid[],
  out o_marked boolean
)
language plpgsql
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
as $$
declare
  v_ids uuid[];
  v_large uuid[];
begin
  select coalesce(array_agg(q.id), '{}') into v_ids
  from (
    select q.id, q.name from queen.queues q
    where q.name = any (p_queues)
    order by q.name
    for update
  ) q;
  o_existed := array(
    select exists (select from queen.queues q where q.name = w.queue and q.id = any (v_ids))
    from unnest(p_queues) with ordinality as w (queue, n) order by w.n);
  v_large := array(
    select u.id
    from unnest(v_ids) as u (id)
    where (
      select count(*)
      from (select from queen.partitions p where p.shard = p_shard and p.queue_id = u.id limit p_many + 1) p) > p_many);
  o_marked := v_large <> '{}';

  select coalesce(array_agg(p.id), '{}') into o_partition_ids
  from (
    select p.id from queen.partitions p
    where p.queue_id = any (v_ids) and p.queue_id <> all (v_large) and p.shard = p_shard
    order by p.id
    for update
  ) p;

  update queen.queues q
  set name = '#deleted-' || q.id, namespace = '', task = '', deleted_at = clock_timestamp(),
      pauses = jsonb_build_object('', jsonb_build_object('since', clock_timestamp())),
      max_size = 0, encryption_enabled = false,
      version = greatest(q.version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  where q.id = any (v_large);
  delete from queen.queues q where q.id = any (v_ids) and q.id <> all (v_large);
  delete from queen.capacities c
  where c.shard = p_shard and c.ctid = any (array(
    select c.ctid from queen.capacities c
    where c.shard = p_shard and c.queue_id = any (v_ids)
    order by c.queue_id
    for update));
  delete from queen.subscriptions s
  where s.shard = p_shard and s.ctid = any (array(
    select s.ctid from queen.subscriptions s
    where s.shard = p_shard and s.queue = any (p_queues)
    order by s.queue, s.consumer_group, s.partition
    for update));
end
$$;
