-- revision: 4
-- Removes all messages of a queue, or of one partition of it, a page of partitions by name at a time: o_last is where
-- the next page starts, null at the end. Effective at once for all groups; what is pushed later stays. Groups continue
-- behind what was there, their live leases end (o_ended_*), and what they have done or failed is forgotten; dead
-- letters stay. o_messages: the number of messages removed, without deleted ones. Up to p_segments segments are removed
-- here; if there may be more, o_more names the partitions for drop_cleared_v1.
--
-- Called by: the broker.
-- Locks: partitions in id order, their cursors in key order. A cursor that is made meanwhile is left alone: it reads on
-- from the first offset, and waiting for it would be out of order.
create or replace function queen.clear_v1(
  p_shard smallint,
  p_queue text,
  p_partition text,
  p_after text,
  p_limit integer,
  p_segments integer,
  out o_found boolean,
  out o_messages bigint,
  out o_last text,
  out o_more uuid[],
  out o_ended_ids uuid[],
  out o_ended_partitions text[],
  out o_ended_groups text[]
)
language plpgsql
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_queue_id uuid;
  v_page integer;
  v_ids uuid[];
  v_rows tid[];       -- the cursors that were locked: nothing else of a group is written
  v_of uuid[];
  v_groups text[];
begin
  o_messages := 0;
  o_more := '{}';
  o_ended_ids := '{}';
  o_ended_partitions := '{}';
  o_ended_groups := '{}';
  select q.id into v_queue_id from queen.queues q where q.name = p_queue;
  -- Partitions without messages are neither locked nor changed, unless a clear that was interrupted has left segments
  -- there.
  select count(*),
         array_agg(w.id) filter (where w.first_offset < w.next_offset or exists (
           select from queen.segments s
           where s.shard = p_shard and s.partition_id = w.id and s.base_offset < w.first_offset)),
         case when count(*) = p_limit then max(w.name) end
  into v_page, v_ids, o_last
  from (
    select p.id, p.name, p.first_offset, p.next_offset
    from queen.partitions p
    where p.queue_id = v_queue_id and p.shard = p_shard
      and (p_partition is null or p.name = p_partition)
      and (p_after is null or p.name > p_after)
    order by p.name
    limit p_limit
  ) w;
  o_found := v_queue_id is not null and (p_partition is null or v_page > 0);
  if v_ids is null then
    return;
  end if;

  v_ids := array(
    select p.id
    from queen.partitions p
    where p.shard = p_shard and p.id = any (v_ids)
    order by p.id
    for no key update);
  -- A statement of its own: only the next one sees what the last holder of a lock wrote.
  select array_agg(c.row_id), array_agg(c.partition_id), array_agg(c.consumer_group) into v_rows, v_of, v_groups
  from (
    select c.ctid as row_id, c.partition_id, c.consumer_group
    from queen.cursors c
    where c.shard = p_shard and c.partition_id = any (v_ids)
    order by c.partition_id, c.consumer_group
    for no key update
  ) c;

  select coalesce(sum(p.next_offset - p.first_offset), 0) - (
    select count(*) from queen.hidden h
    where h.shard = p_shard and h.partition_id = any (v_ids) and h.only_group is null)
  into o_messages
  from queen.partitions p
  where p.shard = p_shard and p.id = any (v_ids);
  select coalesce(array_agg(c.partition_id), '{}'), coalesce(array_agg(p.name), '{}'),
         coalesce(array_agg(c.consumer_group), '{}')
  into o_ended_ids, o_ended_partitions, o_ended_groups
  from queen.cursors c
  join queen.partitions p on p.shard = p_shard and p.id = c.partition_id
  where c.shard = p_shard and c.ctid = any (v_rows) and c.lease_expires_at > clock_timestamp();

  -- What the group has done so far stays counted; what was cleared before its cursor is not added.
  update queen.cursors c
  set committed = p.next_offset,
      started = p.next_offset - greatest(c.committed - c.started, 0) - queen.multirange_size_v1(c.acked),
      acked = '{}', lease_id = null, lease_expires_at = null, leased = '{}', not_before = null, batch_cap = null,
      lone_offset = null, lone_deliveries = 0, has_attempts = false, redeliveries = null
  from queen.partitions p
  where c.shard = p_shard and c.ctid = any (v_rows) and p.shard = p_shard and p.id = c.partition_id;
  delete from queen.attempts a
  using unnest(v_of, v_groups) as u (id, consumer_group)
  where a.shard = p_shard and a.partition_id = u.id and a.consumer_group = u.consumer_group;
  delete from queen.hidden h where h.shard = p_shard and h.partition_id = any (v_ids);
  update queen.partitions p set first_offset = p.next_offset where p.shard = p_shard and p.id = any (v_ids);
  if queen.drop_cleared_v1(p_shard, v_ids, p_segments) = p_segments then
    o_more := v_ids;
  end if;
end
$$;
