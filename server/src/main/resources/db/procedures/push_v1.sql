-- revision: 3
-- Appends messages to any number of partitions in one commit.
--
-- The caller groups the messages: targets (distinct partitions), segments (in target order), and the messages of all
-- segments laid end to end: see the type queen.push_request_v1. Answers arrays, a queen.push_result_v1:
--   target and the arrays after it: the targets that exist, with the offset of their first appended message (the others
--     follow without a gap), its time and the queue's window. A target that is not among them is gone: its partition id
--     does not exist (any more); push again by name.
--   recall[i]: nothing was appended to that target, because more than recall_limit ids would have to be compared: read
--     them with read_transaction_ids_v1 from unseen_from[i] on, and push again. Or because one id occurs in it twice
--     (repeats) though the queue deduplicates; or because repeated ids were held back (repeats null) though it does
--     not, and their places are among the messages sent. Or because some of its messages are plain though the queue
--     is encrypted.
--   duplicate_*: positions of messages that were left out, and the ids of the messages they repeat.
--   full: by message, whether it was left out because its queue has no room (maxSize); null if all had room.
--   unseen_*: see below.
--   encrypted[i]: whether that target's queue is encrypted; null if none is.
--   xid: the transaction, if anything was appended: the tail reports this push under it.
--
-- Deduplication. For each target the caller says up to which offset it has compared the ids itself (known, -1 for not
-- at all) and for how long a window that knowledge is complete (known_windows seconds, -1 for everything stored). Under
-- the partition's lock only what was appended since is compared here, and handed back (unseen_ids, from unseen_from
-- on), so that the caller knows it the next time. Ids that the caller believes to be stored are suspects: they are
-- verified at the offset the caller names, never trusted.
--
-- Usually the partitions are locked and changed in one statement, as if everything were appended; rows where less is
-- appended are changed again. PostgreSQL then looks whether their queue is still there, and would wait for a
-- transaction that deletes the queue, which waits for the partitions. So the queue is locked before, without waiting;
-- if that cannot be had, the push is rolled back as a conflict. Where much may be left out, because there are suspects
-- or a queue has a maxSize, partitions are locked first and changed once, at the end (v_lock_first). lock_first says
-- that the caller expects a maxSize, and saves the attempt; capped says whether there is one.
--
-- Encryption. What the caller believes may be old, so what the queue says is read here, once the partitions are locked;
-- a broker that encrypts a queue waits for the appends under way (appends_under_way_v1). Sealed messages are taken by
-- every queue, plain ones by an encrypted queue only with plain: the operator of a broker without a key asked for it.
--
-- Repetitions. When a call got no reply, its messages are sent again: those at repeated_messages, first sent at most
-- repeated_seconds ago, under a stamp above that of every earlier attempt (else 0). What an attempt before has stored,
-- and what a later attempt has decided about, is left out, and answered as a duplicate of itself (find_repeated_v1).
--
-- Arrays are addressed by target number instead of joined: a join of two unnested parameters has no statistics.
--
-- Called by: the broker, stream_cycle_v1, transaction_v1.
-- Locks: what resolve_partitions_v1 locks, where partitions are named; partitions, in id order; then the capacities of
-- queues that have a maxSize, in queue order (reserve_capacity_v1). Offsets are given out under the lock of the
-- partition, which is held until commit, so an offset that can be seen has no invisible one below it.
create or replace function queen.push_v1(
  p_shard smallint,
  p_push queen.push_request_v1,
  out o_push queen.push_result_v1
)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_count constant integer := cardinality(p_push.partition_ids);
  v_ids uuid[] := p_push.partition_ids;
  v_missing integer[];  -- targets that are given by name
  v_missing_queues text[];
  v_missing_partitions text[];
  v_now timestamptz;
  v_sorted uuid[];
  v_target integer[];
  v_counts integer[] := p_push.counts;  -- by place among the sorted ids
  v_repeats constant boolean[] := p_push.repeats;
  v_queue uuid[];
  v_first bigint[];
  v_queues uuid[];
  v_windows integer[];
  v_sealing uuid[];  -- the queues that are encrypted; null: none
  v_lock_first boolean := p_push.lock_first or coalesce(cardinality(p_push.suspect_messages), 0) > 0
    or coalesce(cardinality(p_push.repeated_messages), 0) > 0;
  v_locked integer;
  v_deleted uuid[];  -- those that are being deleted; null: none
  v_plain integer[]; -- the targets with plain messages
  v_fences boolean;  -- whether any push was repeated lately
  -- the same by target number, when a target is gone or the caller's order is not the locks'
  v_slot integer[];
  v_id uuid[];
  v_next bigint[];
  v_created timestamptz[];
  v_base bigint[];
  v_kept integer[];    -- how many messages are appended; null: all
  v_segment_counts integer[] := p_push.segment_counts;
  v_segment integer;
begin
  -- 1. The ids of partitions that are given by name.
  if not p_push.sorted and array_position(v_ids, null) is not null then
    select array_agg(u.n::integer order by u.n), array_agg(u.queue order by u.n), array_agg(u.partition order by u.n)
    into v_missing, v_missing_queues, v_missing_partitions
    from rows from (unnest(p_push.partition_ids), unnest(p_push.queues), unnest(p_push.partitions))
      with ordinality as u (id, queue, partition, n)
    where u.id is null;
    v_id := queen.resolve_partitions_v1(p_shard, v_missing_queues, v_missing_partitions);
    for i in 1 .. cardinality(v_missing) loop
      v_ids[v_missing[i]] := v_id[i];
    end loop;
  end if;

  -- 2. The targets in the order of the locks. Usually they come so.
  v_sorted := v_ids;
  if p_push.sorted then
    v_target := null;
  else
    select array_agg(u.id order by u.id), array_agg(u.target::integer order by u.id),
           array_agg(p_push.counts[u.target] order by u.id)
    into v_sorted, v_target, v_counts
    from unnest(v_ids) with ordinality as u (id, target)
    where u.id is not null;
  end if;

  -- 3. Locks, and offsets in the same pass, as if nothing were a duplicate; what is left out after all is taken back
  -- below. One table and one index that can serve: nothing for the planner to choose, and the rows come in key order.
  -- width_bucket finds a row's place among the sorted ids. The clock is read for each row once its lock is held, so
  -- that along a partition time follows offsets. Nothing is changed if a queue has a maxSize: that is known once,
  -- before the first row. A queue that gets one later has this push under way (see reserve_capacity_v1).
  if not v_lock_first then
    with appended as (
      update queen.partitions p
      set next_offset = p.next_offset + v_counts[width_bucket(p.id, (select v_sorted))],
          last_append_at = greatest(clock_timestamp(), p.last_append_at),
          largest = greatest(p.largest, p_push.largest)
      where p.shard = p_shard and p.id = any (v_sorted)
        and (select not exists (select from queen.queues q where q.name = any (p_push.queues) and q.max_size > 0))
      returning width_bucket(p.id, (select v_sorted)) as place, p.id, p.queue_id, p.first_offset, p.next_offset,
                p.last_append_at
    )
    select array_agg(case when v_target is null then a.place else v_target[a.place] end), array_agg(a.id),
           array_agg(a.queue_id), array_agg(a.first_offset), array_agg(a.next_offset - v_counts[a.place]),
           array_agg(a.last_append_at)
    into o_push.target, o_push.partition_id, v_queue, v_first, o_push.base_offset, o_push.created_at
    from appended a;
    v_lock_first := o_push.target is null;
  end if;
  if v_lock_first then
    select array_agg(case when v_target is null then a.place else v_target[a.place] end), array_agg(a.id),
           array_agg(a.queue_id), array_agg(a.first_offset), array_agg(a.next_offset),
           array_agg(greatest(clock_timestamp(), a.last_append_at))
    into o_push.target, o_push.partition_id, v_queue, v_first, o_push.base_offset, o_push.created_at
    from (
      select width_bucket(p.id, (select v_sorted)) as place, p.id, p.queue_id, p.first_offset, p.next_offset,
             p.last_append_at
      from queen.partitions p
      where p.shard = p_shard and p.id = any (v_sorted)
      order by p.id
      for no key update
    ) a;
  end if;
  if o_push.target is null then
    return;
  end if;
  v_now := clock_timestamp();

  -- 4. The queues, read once the partitions are locked.
  select array_agg(q.id), array_agg(q.dedup_window_seconds), bool_or(q.max_size > 0),
         array_agg(q.id) filter (where q.encryption_enabled), array_agg(q.id) filter (where q.deleted_at is not null),
         exists (select from queen.push_fences f where f.shard = p_shard)
  into v_queues, v_windows, o_push.capped, v_sealing, v_deleted, v_fences
  from (select distinct u.id from unnest(v_queue) as u (id)) w
  cross join lateral (
    select q.id, q.dedup_window_seconds, q.max_size, q.encryption_enabled, q.deleted_at
    from queen.queues q
    where q.id = w.id
    offset 0
  ) q;
  if v_deleted is not null then
    -- Their partitions are being removed in steps and count as gone. Offsets that were given out there do not matter.
    select array_agg(u.target order by u.n), array_agg(u.id order by u.n), array_agg(u.queue order by u.n),
           array_agg(u.first order by u.n), array_agg(u.base order by u.n), array_agg(u.created order by u.n)
    into o_push.target, o_push.partition_id, v_queue, v_first, o_push.base_offset, o_push.created_at
    from rows from (
        unnest(o_push.target), unnest(o_push.partition_id), unnest(v_queue), unnest(v_first),
        unnest(o_push.base_offset), unnest(o_push.created_at))
      with ordinality as u (target, id, queue, first, base, created, n)
    where u.queue <> all (v_deleted);
    if o_push.target is null then
      return;
    end if;
  end if;

  o_push.capped := o_push.capped and v_lock_first;

  -- 5. Duplicates. First: what of each partition was not compared yet?
  select array_agg(l.win), array_agg(c.compare_from),
         array_agg(
           l.next - c.compare_from > p_push.recall_limit
           or case when v_repeats[l.target] is null then l.win = 0 else v_repeats[l.target] and l.win <> 0 end)
  into o_push.dedup_window, o_push.unseen_from, o_push.recall
  from (
    select u.target, u.id, u.first, u.next, v_windows[array_position(v_queues, u.queue)] as win
    from unnest(o_push.target, o_push.partition_id, v_queue, v_first, o_push.base_offset)
      as u (target, id, queue, first, next)
  ) l
  cross join lateral (
    select case
      when l.win = 0 or l.next = l.first then l.next
      when p_push.known[l.target] between 0 and l.next
        and (p_push.known_windows[l.target] = -1 or (l.win > 0 and p_push.known_windows[l.target] >= l.win))
        then greatest(p_push.known[l.target], l.first)
      when l.win = -1 then l.first
      else queen.offset_after_v1(p_shard, l.id, l.first, l.next, v_now - make_interval(secs => l.win))
    end as compare_from
  ) c;

  -- Plain messages for encrypted queues.
  if v_sealing is not null then
    o_push.encrypted := array(
      select u.queue = any (v_sealing) from unnest(v_queue) with ordinality as u (queue, n) order by u.n);
    if not p_push.plain and false = any (p_push.segment_encrypted) then
      v_plain := array(
        select p_push.segment_targets[s.n]
        from unnest(p_push.segment_encrypted) with ordinality as s (encrypted, n)
        where not s.encrypted);
      o_push.recall := array(
        select u.recall or (u.encrypted and u.target = any (v_plain))
        from rows from (unnest(o_push.recall), unnest(o_push.encrypted), unnest(o_push.target))
          with ordinality as u (recall, encrypted, target, n)
        order by u.n);
    end if;
  end if;

  -- The partitions by target. Compared, not trusted: a message in the wrong partition would break the order.
  if p_push.sorted and o_push.partition_id = v_sorted then
    v_id := o_push.partition_id;
    v_next := o_push.base_offset;
    v_created := o_push.created_at;
    v_slot := o_push.target;
  else
    v_id := array_fill(null::uuid, array[v_count]);
    v_next := array_fill(0::bigint, array[v_count]);
    v_created := array_fill(v_now, array[v_count]);
    v_slot := array_fill(0, array[v_count]);
    for i in 1 .. cardinality(o_push.target) loop
      v_id[o_push.target[i]] := o_push.partition_id[i];
      v_next[o_push.target[i]] := o_push.base_offset[i];
      v_created[o_push.target[i]] := o_push.created_at[i];
      v_slot[o_push.target[i]] := i;
    end loop;
  end if;

  -- What was appended since the caller compared.
  if o_push.unseen_from is distinct from o_push.base_offset then
    select d.o_messages, d.o_message_ids into o_push.duplicate_message, o_push.duplicate_id
    from queen.find_duplicates_v1(
      p_shard, v_id,
      array(select case when s.slot = 0 or o_push.recall[s.slot] then 0 else o_push.unseen_from[s.slot] end
            from unnest(v_slot) with ordinality as s (slot, n) order by s.n),
      array(select case when s.slot = 0 or o_push.recall[s.slot] then 0 else o_push.base_offset[s.slot] end
            from unnest(v_slot) with ordinality as s (slot, n) order by s.n),
      array(select case
                     when o_push.dedup_window[s.slot] > 0
                       then v_now - make_interval(secs => o_push.dedup_window[s.slot])
                     else '-infinity'
                   end
            from unnest(v_slot) with ordinality as s (slot, n) order by s.n),
      array(select p_push.segment_targets[m.segment]
            from unnest(p_push.message_segments) with ordinality as m (segment, n) order by m.n),
      p_push.transaction_ids) d;

    select array_agg(i.transaction_id order by l.n, s.base_offset, i.n) into o_push.unseen_ids
    from rows from (
        unnest(o_push.partition_id), unnest(o_push.unseen_from), unnest(o_push.base_offset), unnest(o_push.recall))
      with ordinality as l (id, unseen_from, next, recall, n)
    cross join lateral (
      select s.base_offset, s.transaction_ids
      from queen.segments s
      where s.shard = p_shard and s.partition_id = l.id
        and s.base_offset >= l.unseen_from and s.base_offset < l.next
    ) s
    cross join lateral unnest(s.transaction_ids) with ordinality as i (transaction_id, n)
    where l.unseen_from < l.next and not l.recall;
  end if;

  -- Ids that the caller believes to be stored.
  if cardinality(p_push.suspect_messages) > 0 then
    select coalesce(o_push.duplicate_message, '{}') || coalesce(array_agg(d.message), '{}'),
           coalesce(o_push.duplicate_id, '{}') || coalesce(array_agg(d.id), '{}')
    into o_push.duplicate_message, o_push.duplicate_id
    from (
      select distinct on (c.message) c.message, s.message_ids[c.suspect - s.base_offset + 1] as id
      from unnest(p_push.suspect_messages, p_push.suspect_offsets) as c (message, suspect)
      cross join lateral (
        select v_id[t.target] as id, o_push.dedup_window[v_slot[t.target]] as win,
               v_first[v_slot[t.target]] as first, o_push.unseen_from[v_slot[t.target]] as seen
        from (select p_push.segment_targets[p_push.message_segments[c.message]] as target) t
      ) l
      cross join lateral (
        select s.base_offset, s.message_count, s.created_at, s.message_ids, s.transaction_ids
        from queen.segments s
        where s.shard = p_shard and s.partition_id = l.id and s.base_offset <= c.suspect
        order by s.base_offset desc
        limit 1
      ) s
      where c.suspect >= l.first  -- what lies below was cleared, though its segments may still be there
        and c.suspect < s.base_offset + s.message_count
        and s.transaction_ids[c.suspect - s.base_offset + 1] = p_push.transaction_ids[c.message]
        and (l.win = -1 or (l.win > 0 and s.created_at > v_now - make_interval(secs => l.win)))
        and c.suspect < l.seen  -- the others are compared above; these are older and come last, so they count
      order by c.message, c.suspect
    ) d;
  end if;

  -- Messages that another attempt of the same push has decided about.
  if v_fences or cardinality(p_push.repeated_messages) > 0 then
    select coalesce(o_push.duplicate_message, '{}') || r.o_messages,
           coalesce(o_push.duplicate_id, '{}') || r.o_message_ids
    into o_push.duplicate_message, o_push.duplicate_id
    from queen.find_repeated_v1(
      p_shard, p_push.stamp, p_push.repeated_messages, p_push.repeated_seconds, p_push.message_ids,
      array(select p_push.segment_targets[m.segment]
            from unnest(p_push.message_segments) with ordinality as m (segment, n) order by m.n),
      v_id,
      array(select case when s.slot > 0 then v_first[s.slot] end
            from unnest(v_slot) with ordinality as s (slot, n) order by s.n),
      v_next,
      array(select case when s.slot > 0 then o_push.dedup_window[s.slot] end
            from unnest(v_slot) with ordinality as s (slot, n) order by s.n)) r;
  end if;

  -- 6. The room of queues with a maxSize.
  if o_push.capped then
    o_push.no_room := queen.reserve_capacity_v1(
      p_shard, v_queue,
      array(select case when o_push.recall[l.slot] then 0 else l.slot end
            from unnest(p_push.message_segments) with ordinality as m (segment, n)
            cross join lateral (select v_slot[p_push.segment_targets[m.segment]] as slot) l
            order by m.n),
      p_push.message_ids, o_push.duplicate_message);
  end if;

  -- 7. Leave out duplicates, what has no room and what cannot be appended to (rare): the others follow without a gap.
  if cardinality(o_push.duplicate_message) > 0 or o_push.no_room is not null or true = any (o_push.recall)
     or cardinality(o_push.target) < v_count then
    select coalesce(array_agg(m.segment order by m.n), '{}'),
           coalesce(array_agg(m.message_id order by m.n), '{}'),
           coalesce(array_agg(m.transaction_id order by m.n), '{}'),
           coalesce(array_agg(m.payload order by m.n), '{}'),
           case when p_push.trace_ids is not null then array_agg(m.trace_id order by m.n) end,
           case when p_push.producer_subs is not null then array_agg(m.producer_sub order by m.n) end
    into p_push.message_segments, p_push.message_ids, p_push.transaction_ids, p_push.payloads, p_push.trace_ids,
         p_push.producer_subs
    from rows from (
        unnest(p_push.message_segments), unnest(p_push.message_ids), unnest(p_push.transaction_ids),
        unnest(p_push.payloads), unnest(p_push.trace_ids), unnest(p_push.producer_subs), unnest(o_push.no_room))
      with ordinality as m (segment, message_id, transaction_id, payload, trace_id, producer_sub, no_room, n)
    where m.no_room is not true
      and v_slot[p_push.segment_targets[m.segment]] > 0
      and not o_push.recall[v_slot[p_push.segment_targets[m.segment]]]
      and (o_push.duplicate_message is null or m.n <> all (o_push.duplicate_message));
    v_segment_counts := array_fill(0, array[cardinality(v_segment_counts)]);
    v_kept := array_fill(0, array[v_count]);
    foreach v_segment in array p_push.message_segments loop
      v_segment_counts[v_segment] := v_segment_counts[v_segment] + 1;
      v_kept[p_push.segment_targets[v_segment]] := v_kept[p_push.segment_targets[v_segment]] + 1;
    end loop;
  end if;
  if v_lock_first then
    v_kept := coalesce(v_kept, p_push.counts);
    update queen.partitions p
    set next_offset = v_next[t.target] + v_kept[t.target], last_append_at = v_created[t.target],
        largest = greatest(p.largest, p_push.largest)
    from unnest(o_push.target, o_push.partition_id) as t (target, id)
    where p.shard = p_shard and p.id = t.id and v_kept[t.target] > 0;
  elsif v_kept is not null then
    perform from queen.queues q where q.id = any (v_queues) for key share skip locked;
    get diagnostics v_locked = row_count;
    if v_locked < cardinality(v_queues) then
      raise exception 'a queue is being deleted or encrypted' using errcode = 'serialization_failure';
    end if;
    update queen.partitions p
    set next_offset = v_next[t.target] + v_kept[t.target],
        -- Where retention has left nothing, the later time stays: the next append must not be older than what was
        -- there.
        last_append_at = case when v_kept[t.target] > 0 then p.last_append_at else coalesce((
          select s.created_at
          from queen.segments s
          where s.shard = p_shard and s.partition_id = t.id and s.base_offset < v_next[t.target]
          order by s.base_offset desc
          limit 1), p.last_append_at) end
    from unnest(o_push.target, o_push.partition_id) as t (target, id)
    where p.shard = p_shard and p.id = t.id and v_kept[t.target] < p_push.counts[t.target];
  end if;
  if cardinality(p_push.message_ids) = 0 then
    return;
  end if;

  -- 8. The segments.
  if cardinality(p_push.segment_targets) = v_count then
    v_base := v_next;
  else
    select array_agg(b.base order by b.n) into v_base
    from (
      select s.n, v_next[s.target]
               + sum(s.message_count) over (partition by s.target order by s.n) - s.message_count as base
      from rows from (unnest(p_push.segment_targets), unnest(v_segment_counts))
        with ordinality as s (target, message_count, n)
    ) b;
  end if;

  if cardinality(p_push.message_ids) = cardinality(v_segment_counts) and 0 <> all (v_segment_counts) then
    -- One message each.
    insert into queen.segments
    select p_shard, v_id[t.target], v_base[m.segment], 1, v_created[t.target], p_push.segment_encrypted[m.segment],
           array[m.message_id], array[m.transaction_id], array[m.payload],
           case when m.trace_id is not null then array[m.trace_id] end,
           case when m.producer_sub is not null then array[m.producer_sub] end,
           octet_length(m.payload)
    from unnest(
        p_push.message_segments, p_push.message_ids, p_push.transaction_ids, p_push.payloads, p_push.trace_ids,
        p_push.producer_subs)
      as m (segment, message_id, transaction_id, payload, trace_id, producer_sub)
    cross join lateral (select p_push.segment_targets[m.segment] as target) t;
  elsif cardinality(p_push.message_ids) < 16 * cardinality(v_segment_counts) then
    -- Many small segments: a slice walks its array from the start, so take the arrays apart once.
    insert into queen.segments
    select p_shard, v_id[t.target], v_base[m.segment], v_segment_counts[m.segment], v_created[t.target],
           p_push.segment_encrypted[m.segment],
           m.message_ids, m.transaction_ids, m.payloads, m.trace_ids, m.producer_subs, pg_column_size(m.payloads)
    from (
      select u.segment, array_agg(u.message_id order by u.n) as message_ids,
             array_agg(u.transaction_id order by u.n) as transaction_ids,
             array_agg(u.payload order by u.n) as payloads,
             case when p_push.trace_ids is not null then array_agg(u.trace_id order by u.n) end as trace_ids,
             case when p_push.producer_subs is not null then array_agg(u.producer_sub order by u.n) end as producer_subs
      from rows from (
          unnest(p_push.message_segments), unnest(p_push.message_ids), unnest(p_push.transaction_ids),
          unnest(p_push.payloads), unnest(p_push.trace_ids), unnest(p_push.producer_subs))
        with ordinality as u (segment, message_id, transaction_id, payload, trace_id, producer_sub, n)
      group by u.segment
    ) m
    cross join lateral (select p_push.segment_targets[m.segment] as target) t;
  else
    -- Few large segments: slices. Each array as a subquery, which is evaluated once, and not for every slice.
    insert into queen.segments
    select p_shard, v_id[s.target], v_base[s.n], s.message_count, v_created[s.target], s.encrypted,
           (select p_push.message_ids)[s.before + 1 : s.before + s.message_count],
           (select p_push.transaction_ids)[s.before + 1 : s.before + s.message_count],
           l.payloads,
           (select p_push.trace_ids)[s.before + 1 : s.before + s.message_count],
           (select p_push.producer_subs)[s.before + 1 : s.before + s.message_count],
           pg_column_size(l.payloads)
    from (
      select u.n, u.target, u.message_count, u.encrypted,
             sum(u.message_count) over (order by u.n) - u.message_count as before
      from rows from (unnest(p_push.segment_targets), unnest(v_segment_counts), unnest(p_push.segment_encrypted))
        with ordinality as u (target, message_count, encrypted, n)
    ) s
    cross join lateral (
      select (select p_push.payloads)[s.before + 1 : s.before + s.message_count] as payloads
      offset 0
    ) l
    where s.message_count > 0;
  end if;

  -- 9. The tail.
  o_push.xid := pg_current_xact_id()::text::bigint;
  insert into queen.tail (shard, xid, appended_at, partition_ids)
  values (p_shard, pg_current_xact_id(), v_now, o_push.partition_id);
end
$$;
