-- revision: 5
-- Deletes the progress of a group, on one queue (p_queue) or on all: its cursors with their leases, and its failures.
-- With p_metadata also its subscriptions; else it starts again where they say. A page of partitions at a time, in the
-- order (queue id, name): o_last_queue and o_last are where the next page starts, null at the end. Dead letters stay.
-- Subscriptions are deleted with the first page, so that a consumer that comes back meanwhile belongs to a new group,
-- not to half of the old one. o_queues: the queues where something was deleted; the tail reports them to every broker.
--
-- Called by: the broker.
-- Locks: hiding; the queues' capacities; subscriptions; cursors; each in key order.
create or replace function queen.delete_group_v1(
  p_shard smallint,
  p_group text,
  p_queue text,
  p_metadata boolean,
  p_after_queue uuid,
  p_after text,
  p_limit integer,
  out o_deleted integer,
  out o_queues text[],
  out o_last_queue uuid,
  out o_last text
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_custom_plan  -- one queue or all, the first page or another: different plans
set jit = off
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
as $$
declare
  v_queue_id uuid := (select q.id from queen.queues q where q.name = p_queue);
  v_queue_ids uuid[];
  v_names text[];
  v_ids uuid[];
  v_rows tid[];
  v_gone uuid[];
begin
  o_deleted := 0;
  o_queues := '{}';
  if p_queue is null or v_queue_id is not null then
    select array_agg(p.queue_id order by p.queue_id, p.name), array_agg(p.name order by p.queue_id, p.name),
           array_agg(p.id)
    into v_queue_ids, v_names, v_ids
    from (
      select p.queue_id, p.name, p.id
      from queen.partitions p
      where p.shard = p_shard
        and (v_queue_id is null or p.queue_id = v_queue_id)
        and (p_after_queue is null or (p.queue_id, p.name) > (p_after_queue, p_after))
      order by p.queue_id, p.name
      limit p_limit
    ) p;
  end if;
  if cardinality(v_ids) = p_limit then
    o_last_queue := v_queue_ids[p_limit];
    o_last := v_names[p_limit];
  end if;
  perform queen.hiding_lock_v1(p_shard, true);
  perform queen.invalidate_capacity_v1(p_shard, v_queue_ids);

  if p_metadata and p_after_queue is null then
    v_rows := array(
      select s.ctid
      from queen.subscriptions s
      where s.shard = p_shard and s.consumer_group = p_group and (p_queue is null or s.queue = p_queue)
      order by s.queue, s.partition
      for update);
    with gone as (
      delete from queen.subscriptions s where s.shard = p_shard and s.ctid = any (v_rows) returning s.queue
    )
    select coalesce(array_agg(distinct g.queue), '{}') into o_queues from gone g;
  end if;

  -- Locked by a statement of its own: only the next one finds a row that another transaction has just changed.
  v_rows := array(
    select c.row_id
    from (select u.id from unnest(v_ids) as u (id) order by u.id offset 0) u
    cross join lateral (
      select c.ctid as row_id
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = u.id and c.consumer_group = p_group
      for update
    ) c);
  with gone as (
    delete from queen.cursors c where c.shard = p_shard and c.ctid = any (v_rows) returning c.partition_id
  )
  select coalesce(array_agg(g.partition_id), '{}') into v_gone from gone g;
  o_deleted := cardinality(v_gone);

  delete from queen.attempts a
  where a.shard = p_shard and a.ctid = any (array(
    select f.row_id
    from unnest(v_gone) as u (id)
    cross join lateral (
      select a.ctid as row_id
      from queen.attempts a
      where a.shard = p_shard and a.partition_id = u.id and a.consumer_group = p_group
      offset 0
    ) f));

  select coalesce(array_agg(u.queue), '{}') into o_queues
  from (
    select unnest(o_queues) as queue
    union
    select q.name
    from unnest(v_gone) as u (id)
    cross join lateral (
      select p.queue_id from queen.partitions p where p.shard = p_shard and p.id = u.id offset 0
    ) p
    join queen.queues q on q.id = p.queue_id
  ) u;
  insert into queen.tail (shard, xid, appended_at, partition_ids, queue, consumer_group)
  select p_shard, pg_current_xact_id(), clock_timestamp(), '{}', u.queue, p_group
  from unnest(o_queues) as u (queue);
end
$$;
