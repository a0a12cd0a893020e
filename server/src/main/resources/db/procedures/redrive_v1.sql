-- revision: 5
-- Gives dead letters back to the groups that gave them up, all of a selection (see selected_dead_letters_v1) or none:
-- each is appended at the end of its partition as a new message with the same transaction id and content, hidden from
-- all other groups, and is a dead letter no more. At most p_limit of them, those that failed first; o_remaining says
-- how many are left. The queue is named, or found by the partition's id. With a p_request_id that was seen before
-- nothing happens, and the answer is what it was then, without o_message_ids (by partition and offset) and
-- o_partition_*.
--
-- A sealed payload is bound to the id of its message. So the new message has the id of the dead letter, if that is
-- sealed, and another one if not. Dead letters that have to be sealed first (unsealed_v1): o_unsealed, and nothing has
-- happened, unless p_as_is wants them given back as they are.
--
-- Called by: the broker.
-- Locks: hiding, partitions in id order, the queue's capacity, the partitions' cursors in key order.
create or replace function queen.redrive_v1(
  p_shard smallint,
  p_queue text,
  p_partition text,
  p_partition_id uuid,
  p_group text,
  p_from timestamptz,
  p_until timestamptz,
  p_transaction_ids text[],
  p_limit integer,
  p_request_id text,
  p_as_is boolean,
  out o_found boolean,
  out o_queue text,
  out o_redriven integer,
  out o_remaining bigint,
  out o_partition_ids uuid[],
  out o_partitions text[],
  out o_message_ids uuid[],
  out o_xid bigint,
  out o_unsealed boolean
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_custom_plan  -- the selection decides
set jit = off
as $$
declare
  v_queue_id uuid;
  v_ids uuid[];
  v_groups text[];
  v_offsets bigint[];
  v_locked uuid[];
  v_letters queen.dead_letters[];
  v_now timestamptz;
  v_sealed_since timestamptz;  -- null: the queue is not encrypted
begin
  o_unsealed := false;
  o_redriven := 0;
  o_remaining := 0;
  o_partition_ids := '{}';
  o_partitions := '{}';
  o_message_ids := '{}';
  if p_partition_id is null then
    select q.id, q.name into v_queue_id, o_queue from queen.queues q where q.name = p_queue;
  else
    select q.id, q.name into v_queue_id, o_queue
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    where p.shard = p_shard and p.id = p_partition_id;
  end if;
  o_found := v_queue_id is not null;
  if not o_found then
    return;
  end if;

  perform queen.hiding_lock_v1(p_shard, true);
  if p_request_id is not null then
    select r.redriven, r.remaining into o_redriven, o_remaining
    from queen.redrives r
    where r.shard = p_shard and r.queue_id = v_queue_id and r.request_id = p_request_id;
    if found then
      return;
    end if;
    o_redriven := 0;
  end if;

  select array_agg((w.l).partition_id), array_agg((w.l).consumer_group), array_agg((w.l).message_offset),
         coalesce(max(w.total), 0) - count(*)
  into v_ids, v_groups, v_offsets, o_remaining
  from (
    select s.letter as l, count(*) over () as total
    from queen.selected_dead_letters_v1(
      p_shard, v_queue_id, p_partition, p_partition_id, p_group, p_from, p_until, p_transaction_ids) s
    order by (s.letter).failed_at, s.partition, (s.letter).consumer_group, (s.letter).message_offset
    limit p_limit
  ) w;
  v_locked := array(
    select p.id
    from queen.partitions p
    where p.shard = p_shard and p.id = any (v_ids)
    order by p.id
    for no key update);
  -- What comes back takes room again, whether there is any or not.
  perform queen.invalidate_capacity_v1(p_shard, array[v_queue_id]);
  perform queen.lock_cursors_v1(p_shard, v_locked);

  -- As in a push: first the time of the new messages, then whether the queue is encrypted.
  v_now := clock_timestamp();
  if not p_as_is then
    v_sealed_since := (
      select case when q.encryption_enabled then q.sealed_since end from queen.queues q where q.id = v_queue_id);
    o_unsealed := exists (
      select
      from unnest(v_ids, v_groups, v_offsets) as u (id, consumer_group, o)
      join queen.dead_letters d on d.shard = p_shard and d.partition_id = u.id and d.consumer_group = u.consumer_group
        and d.message_offset = u.o
      where queen.unsealed_v1(d.payload, d.encrypted, d.created_at, v_sealed_since));
    if o_unsealed then
      return;
    end if;
  end if;

  -- What is gone by now was purged meanwhile.
  with gone as (
    delete from queen.dead_letters d
    using unnest(v_ids, v_groups, v_offsets) as u (id, consumer_group, o)
    where d.shard = p_shard and d.partition_id = u.id and d.consumer_group = u.consumer_group
      and d.message_offset = u.o and u.id = any (v_locked)
    returning d
  )
  select coalesce(array_agg(g.d), '{}') into v_letters from gone g;
  o_redriven := cardinality(v_letters);

  if o_redriven > 0 then
    with letters as materialized (
      select l.partition_id, l.consumer_group, l.message_offset, l.transaction_id, l.payload, l.encrypted, l.trace_id,
             l.producer_sub, l.message_id as letter_id,
             row_number() over (
               partition by l.partition_id order by l.message_offset, l.consumer_group collate "C") - 1 as n,
             row_number() over (order by l.partition_id, l.message_offset, l.consumer_group collate "C") as turn
      from unnest(v_letters) as l
    ), appended as (
      update queen.partitions p
      set next_offset = p.next_offset + c.letters, last_append_at = greatest(v_now, p.last_append_at),
          largest = greatest(p.largest, c.largest)
      from (
        select l.partition_id, count(*) as letters, max(octet_length(l.payload)) as largest
        from letters l
        group by l.partition_id
      ) c
      where p.shard = p_shard and p.id = c.partition_id
      returning p.id, p.name, p.next_offset - c.letters as base, p.last_append_at
    ), placed as materialized (
      -- New ids are UUIDv7, as brokers make them.
      select l.*, a.name as partition, a.last_append_at as created_at, a.base + l.n as o,
             case
               when l.encrypted then l.letter_id
               else (left(lpad(to_hex((extract(epoch from v_now) * 1000)::bigint), 12, '0') || '7'
                     || lpad(to_hex(l.turn % 4096), 3, '0'), 16)
                || translate(substr(gen_random_uuid()::text, 20), '-', ''))::uuid
             end as message_id
      from letters l
      join appended a on a.id = l.partition_id
    ), stored as (
      insert into queen.segments
      select p_shard, l.partition_id, l.o, 1, l.created_at, l.encrypted, array[l.message_id], array[l.transaction_id],
             array[l.payload], case when l.trace_id is not null then array[l.trace_id] end,
             case when l.producer_sub is not null then array[l.producer_sub] end, octet_length(l.payload)
      from placed l
    )
    select array_agg(l.partition_id), array_agg(l.o), array_agg(l.consumer_group),
           array_agg(l.message_id order by l.partition collate "C", l.o)
    into v_ids, v_offsets, v_groups, o_message_ids
    from placed l;

    perform queen.hide_v1(p_shard, v_ids, v_offsets, v_groups);
    select array_agg(p.id), array_agg(p.name) into o_partition_ids, o_partitions
    from queen.partitions p
    where p.shard = p_shard and p.id = any (v_ids);
    o_xid := pg_current_xact_id()::text::bigint;
    insert into queen.tail (shard, xid, appended_at, partition_ids)
    values (p_shard, pg_current_xact_id(), v_now, o_partition_ids);
  end if;
  if p_request_id is not null then
    insert into queen.redrives (shard, queue_id, request_id, made_at, redriven, remaining)
    values (p_shard, v_queue_id, p_request_id, clock_timestamp(), o_redriven, o_remaining);
  end if;
end
$$;
