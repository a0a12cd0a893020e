-- revision: 2
-- Moves a group's cursors on a queue (or on one partition of it) to the end, or to the first message after a moment
-- (p_moment), a page of partitions at a time: o_last is where the next page starts, null when there is none. Leases
-- end, and what was done, failed or delayed beyond the cursor is forgotten: the group reads on from the new place as if
-- it had never been further; only what is hidden from it stays done. A partition that the group has not read yet gets
-- its cursor here. For one partition o_offset is the cursor's new offset, and o_behind when the message before it was
-- created, if there is one. o_known is false, and nothing happens, if the group neither has subscribed to the queue nor
-- has a cursor in it. The tail reports the change to every broker: their ready lists are wrong from now on.
--
-- Called by: the broker.
-- Locks: hiding (shared); the queue's capacity; then cursors, in key order.
create or replace function queen.seek_v1(
  p_shard smallint,
  p_queue text,
  p_partition text,
  p_group text,
  p_moment timestamptz,
  p_after text,
  p_limit integer,
  out o_found boolean,
  out o_known boolean,
  out o_updated integer,
  out o_last text,
  out o_offset bigint,
  out o_behind timestamptz
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_queue_id uuid;
  v_ids uuid[];
  v_row tid[];
  v_of uuid[];
  v_to bigint[];
  v_hidden boolean;
begin
  select q.id into v_queue_id from queen.queues q where q.name = p_queue;
  select array_agg(w.id), case when count(*) = p_limit then max(w.name) end
  into v_ids, o_last
  from (
    select p.id, p.name
    from queen.partitions p
    where p.queue_id = v_queue_id and p.shard = p_shard
      and (p_partition is null or p.name = p_partition)
      and (p_after is null or p.name > p_after)
    order by p.name
    limit p_limit
  ) w;
  o_found := v_queue_id is not null and (p_partition is null or v_ids is not null);
  o_updated := 0;
  -- Asked with the first page only: a seek makes no group.
  o_known := p_after is not null
    or exists (
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
  if v_ids is null or not o_known then
    return;
  end if;

  perform queen.hiding_lock_v1(p_shard, false);
  perform queen.invalidate_capacity_v1(p_shard, array[v_queue_id]);
  perform queen.open_cursors_v1(p_shard, v_ids, array_fill(p_group, array[cardinality(v_ids)]));

  select array_agg(c.row_id), array_agg(w.id) into v_row, v_of
  from (select u.id from unnest(v_ids) as u (id) order by u.id offset 0) w
  cross join lateral (
    select c.ctid as row_id
    from queen.cursors c
    where c.shard = p_shard and c.partition_id = w.id and c.consumer_group = p_group
    for no key update
  ) c;
  -- The end is read once the locks are held, by another statement: the end in an older snapshot may be before the
  -- cursor, which would then go back to messages that are done. The cursor of a partition that was deleted meanwhile
  -- is left alone.
  select array_agg(w.row_id), array_agg(w.id), array_agg(p.target) into v_row, v_of, v_to
  from unnest(v_row, v_of) as w (row_id, id)
  cross join lateral (
    select case
      when p_moment is null then p.next_offset
      else queen.offset_after_v1(p_shard, w.id, p.first_offset, p.next_offset, p_moment)
    end as target
    from queen.partitions p
    where p.shard = p_shard and p.id = w.id
    offset 0
  ) p;

  v_hidden := exists (select from queen.hidden h where h.shard = p_shard);
  update queen.cursors c
  set committed = coalesce(w.committed, w.target), started = w.target, acked = coalesce(w.acked, '{}'),
      lease_id = null, lease_expires_at = null, leased = '{}',
      not_before = null, batch_cap = null, lone_offset = null, lone_deliveries = 0, has_attempts = false,
      redeliveries = null
  from (
    select w.row_id, w.target, h.committed, h.acked
    from unnest(v_row, v_of, v_to) as w (row_id, partition_id, target)
    left join lateral (
      select h.committed, h.acked
      from queen.beyond_hidden_v1(p_shard, w.partition_id, p_group, w.target) h
      where v_hidden
    ) h on true
  ) w
  where c.shard = p_shard and c.ctid = w.row_id;
  get diagnostics o_updated = row_count;
  if p_partition is not null then
    o_offset := v_to[1];
    select s.created_at into o_behind
    from queen.segments s
    where s.shard = p_shard and s.partition_id = v_ids[1] and s.base_offset < o_offset
    order by s.base_offset desc
    limit 1;
  end if;

  delete from queen.attempts a
  where a.shard = p_shard and a.ctid = any (array(
    select f.row_id
    from unnest(v_ids) as w (id)
    cross join lateral (
      select a.ctid as row_id
      from queen.attempts a
      where a.shard = p_shard and a.partition_id = w.id and a.consumer_group = p_group
      offset 0
    ) f));

  insert into queen.tail (shard, xid, appended_at, partition_ids, queue, consumer_group)
  values (p_shard, pg_current_xact_id(), clock_timestamp(), '{}', p_queue, p_group);
end
$$;
