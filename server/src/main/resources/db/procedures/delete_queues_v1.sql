-- revision: 3
-- Removes queues with their partitions and subscriptions, at once and for everybody. What hung on the partitions
-- (segments, cursors, attempts, dead letters) is out of reach from then on and is removed by sweep_v1, in pieces;
-- o_partition_ids says where.
-- Locks: queues in name order, then their partitions in id order, then their capacities in queue order, then the subscriptions to
-- them in key order.
create or replace function queen.delete_queues_v1(
  p_shard smallint,
  p_queues text[],
  out o_existed boolean[],
  out o_partition_ids uuid[]
)
language plpgsql
as $$
declare
  v_ids uuid[];
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

  select coalesce(array_agg(p.id), '{}') into o_partition_ids
  from (
    select p.id from queen.partitions p
    where p.queue_id = any (v_ids) and p.shard = p_shard
    order by p.id
    for update
  ) p;

  delete from queen.queues q where q.id = any (v_ids);
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
