-- revision: 1
-- Applies acks of every status to delivered messages: the general way, for what ack_v1 does not apply at once.
--
-- An ack names a partition, a group, a message (by transaction id, or by offset where the caller knows it) and mostly
-- the lease. All acks of one call on one cursor are applied together:
--   completed  done                                   dlq     done, copied to the dead letters
--   failed     counted; past the retry limit as dlq, else the lease ends and the message comes again. Past the limit it
--              also comes again if the queue has deadLetterQueue or dlqAfterMaxRetries explicitly off
--   retry      the lease ends and the message comes again, uncounted
-- Only messages that are neither completed nor dead-lettered come again, in order, before newer ones. Of several acks
-- of one message the first counts. An ack of a message that is done already changes nothing and succeeds.
--
-- With a lease id: it must be the live lease of (partition, group). Without one: any message near the cursor may be
-- named; if p_fence is given, the cursor's live lease must be in it.
--
-- p_cursors says which of the cursors to change. Answers per cursor of these (o_cursor_*), and per ack of the whole
-- call o_error ('lease'; 'message' for not found; 'group' for a group that does not read the queue; null for success)
-- and o_dead. The cursors of p_missing did not exist when ack_v1 locked the others, and count as missing even if they
-- exist by now.
--
-- Called by: ack_v1.
-- Locks: none beyond those of ack_v1: cursors, in key order.
create or replace function queen.apply_statuses_v1(
  p_shard smallint,
  p_cursor_ids uuid[],
  p_cursor_groups text[],
  p_cursor_counts integer[],
  p_cursors integer[],
  p_transaction_ids text[],
  p_offsets bigint[],
  p_lease_ids uuid[],
  p_statuses text[],
  p_errors text[],
  p_fence uuid[],
  p_missing integer[],
  out o_cursor_queue text[],
  out o_cursor_partition text[],
  out o_cursor_released boolean[],
  out o_error text[],
  out o_dead boolean[]
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  -- Without a lease a message is looked for this far on either side of the cursor: a bounded search.
  v_reach constant bigint := 10000;
  v_endless constant integer := 2147483647;
  v_count constant integer := cardinality(p_statuses);
  v_now timestamptz;
  v_slot integer[] := array_fill(0, array[v_count]);  -- of each ack: the position of its cursor in p_cursors
  v_last integer := 0;
  v_offset bigint[];     -- of each ack
  v_valid boolean[];     -- of each ack: whether it counts
  v_some boolean;
  v_named text[];        -- of each ack: the transaction id that is to be found
  -- by slot
  v_id uuid[] := array_fill(null::uuid, array[cardinality(p_cursors)]);
  v_group text[] := array_fill(null::text, array[cardinality(p_cursors)]);
  v_row tid[] := array_fill(null::tid, array[cardinality(p_cursors)]);
  v_committed bigint[] := array_fill(null::bigint, array[cardinality(p_cursors)]);
  v_first bigint[] := array_fill(null::bigint, array[cardinality(p_cursors)]);
  v_next bigint[] := array_fill(null::bigint, array[cardinality(p_cursors)]);
  v_acked int8multirange[] := array_fill(null::int8multirange, array[cardinality(p_cursors)]);
  v_lease uuid[] := array_fill(null::uuid, array[cardinality(p_cursors)]);
  v_expires timestamptz[] := array_fill(null::timestamptz, array[cardinality(p_cursors)]);
  v_leased int8multirange[] := array_fill(null::int8multirange, array[cardinality(p_cursors)]);
  v_not_before timestamptz[] := array_fill(null::timestamptz, array[cardinality(p_cursors)]);
  v_cap integer[] := array_fill(null::integer, array[cardinality(p_cursors)]);
  v_lone bigint[] := array_fill(null::bigint, array[cardinality(p_cursors)]);
  v_lone_deliveries integer[] := array_fill(null::integer, array[cardinality(p_cursors)]);
  v_has_attempts boolean[] := array_fill(null::boolean, array[cardinality(p_cursors)]);
  -- Of leases that end without an ack: their upper end.
  v_ends bigint[] := array_fill(null::bigint, array[cardinality(p_cursors)]);
  v_queue text[] := array_fill(null::text, array[cardinality(p_cursors)]);
  v_partition text[] := array_fill(null::text, array[cardinality(p_cursors)]);
  v_retry_limit integer[] := array_fill(null::integer, array[cardinality(p_cursors)]);
  v_retry_delay integer[] := array_fill(null::integer, array[cardinality(p_cursors)]);
  v_done int8multirange[] := array_fill(null::int8multirange, array[cardinality(p_cursors)]);
  v_ended boolean[] := array_fill(null::boolean, array[cardinality(p_cursors)]);
  v_c record;
  v_low bigint;
begin
  -- 1. Which acks belong to which cursor.
  o_error := array_fill(null::text, array[v_count]);
  o_dead := array_fill(false, array[v_count]);
  for i in 1 .. cardinality(p_cursor_ids) loop
    v_low := array_position(p_cursors, i);
    if v_low is not null then
      for k in v_last + 1 .. v_last + p_cursor_counts[i] loop
        v_slot[k] := v_low;
      end loop;
    end if;
    v_last := v_last + p_cursor_counts[i];
  end loop;

  -- 2. The cursors, with what their queues say.
  for v_c in
    select w.slot, w.id, w.consumer_group, c.*, p.*
    from (
      select u.slot, p_cursor_ids[u.cursor] as id, p_cursor_groups[u.cursor] as consumer_group
      from unnest(p_cursors) with ordinality as u (cursor, slot)
      where u.cursor <> all (p_missing)
      order by u.slot
      offset 0
    ) w
    cross join lateral (
      select c.ctid as row_id, c.committed, c.acked, c.lease_id, c.lease_expires_at, c.leased, c.not_before,
             c.batch_cap, c.lone_offset, c.lone_deliveries, c.has_attempts
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = w.id and c.consumer_group = w.consumer_group
      for no key update
    ) c
    cross join lateral (
      select p.first_offset, p.next_offset, p.name as partition, q.name as queue, q.retry_delay,
             -- A queue that has dead letters switched off gets the message again, however often it fails.
             case
               when q.dead_letter_queue is false or q.dlq_after_max_retries is false then v_endless
               else q.retry_limit
             end as retry_limit
      from queen.partitions p
      cross join lateral (select q.* from queen.queues q where q.id = p.queue_id offset 0) q
      where p.shard = p_shard and p.id = w.id
      offset 0
    ) p
  loop
    v_id[v_c.slot] := v_c.id;
    v_group[v_c.slot] := v_c.consumer_group;
    v_row[v_c.slot] := v_c.row_id;
    v_committed[v_c.slot] := greatest(v_c.committed, v_c.first_offset);
    v_first[v_c.slot] := v_c.first_offset;
    v_next[v_c.slot] := v_c.next_offset;
    v_acked[v_c.slot] := v_c.acked;
    v_lease[v_c.slot] := v_c.lease_id;
    v_expires[v_c.slot] := v_c.lease_expires_at;
    v_leased[v_c.slot] := v_c.leased;
    v_not_before[v_c.slot] := v_c.not_before;
    v_cap[v_c.slot] := v_c.batch_cap;
    v_lone[v_c.slot] := v_c.lone_offset;
    v_lone_deliveries[v_c.slot] := v_c.lone_deliveries;
    v_has_attempts[v_c.slot] := v_c.has_attempts;
    v_queue[v_c.slot] := v_c.queue;
    v_partition[v_c.slot] := v_c.partition;
    v_retry_limit[v_c.slot] := v_c.retry_limit;
    v_retry_delay[v_c.slot] := v_c.retry_delay;
    v_done[v_c.slot] := '{}';
    v_ended[v_c.slot] := false;
  end loop;
  v_now := clock_timestamp();

  -- 3. Which acks count, and which messages they name.
  select array_agg(coalesce(
           v_row[a.slot] is not null and (
             (a.lease_id is null and p_fence is null)
             or (v_expires[a.slot] > v_now
                 and (a.lease_id = v_lease[a.slot]
                      or (a.lease_id is null and v_lease[a.slot] = any (p_fence))))), false) order by a.n),
         array_agg(case
           when a.o is null then null
           when a.lease_id is null and p_fence is null and a.o >= v_first[a.slot] and a.o < v_next[a.slot] then a.o
           when a.o <@ v_leased[a.slot] and a.o >= v_first[a.slot] then a.o
         end order by a.n),
         bool_or(a.o is null)
  into v_valid, v_offset, v_some
  from rows from (unnest(v_slot), unnest(p_lease_ids), unnest(p_offsets)) with ordinality as a (slot, lease_id, o, n);

  if v_some then
    -- A live or expired lease covers nearly every message that is ever named.
    v_named := array(
      select case when a.valid then a.transaction_id end
      from unnest(v_valid, p_transaction_ids) with ordinality as a (valid, transaction_id, n) order by a.n);
    v_offset := array(
      select coalesce(v_offset[f.n], f.o)
      from unnest(queen.locate_v1(
        p_shard, v_id, v_leased,
        array(select s.acked + int8multirange(int8range(null, s.committed))
              from unnest(v_acked, v_committed) with ordinality as s (acked, committed, n) order by s.n),
        v_slot, v_named)) with ordinality as f (o, n)
      order by f.n);
    -- Elsewhere the oldest is meant, done or not: a repeated ack must not reach a newer message.
    v_named := array(
      select case when a.o is null and a.lease_id is null and p_fence is null then a.transaction_id end
      from unnest(v_offset, p_lease_ids, v_named) with ordinality as a (o, lease_id, transaction_id, n) order by a.n);
    if exists (select from unnest(v_named) as a (transaction_id) where a.transaction_id is not null) then
      v_offset := array(
        select coalesce(v_offset[f.n], f.o)
        from unnest(queen.locate_v1(
          p_shard, v_id,
          array(select int8multirange(int8range(greatest(s.committed - v_reach, s.first),
                                                least(s.committed + v_reach, s.next)))
                from unnest(v_committed, v_first, v_next) with ordinality as s (committed, first, next, n)
                order by s.n),
          array_fill('{}'::int8multirange, array[cardinality(v_id)]), v_slot, v_named)) with ordinality as f (o, n)
        order by f.n);
    end if;
  end if;

  -- 4. What is wrong with the others.
  select array_agg(case
           when a.valid and a.o is not null then null
           when a.slot = 0 then null
           when a.valid or v_row[a.slot] is null and not exists (
             select from queen.partitions p
             where p.shard = p_shard and p.id = p_cursor_ids[p_cursors[a.slot]]) then 'message'
           when v_row[a.slot] is null and a.lease_id is null and p_fence is null then 'group'
           else 'lease'
         end order by a.n)
  into o_error
  from rows from (unnest(v_slot), unnest(v_valid), unnest(v_offset), unnest(p_lease_ids))
    with ordinality as a (slot, valid, o, lease_id, n);

  -- 5. Everything that is completed, at once.
  for v_c in
    select a.slot, range_agg(int8range(a.o, a.o + 1)) as done
    from (
      select distinct on (u.slot, u.o) u.slot, u.o, u.status
      from rows from (unnest(v_slot), unnest(v_valid), unnest(v_offset), unnest(p_statuses))
        with ordinality as u (slot, valid, o, status, n)
      where u.valid and u.o is not null
      order by u.slot, u.o, u.n
    ) a
    where a.status = 'completed'
    group by a.slot
  loop
    v_done[v_c.slot] := v_c.done;
  end loop;

  -- 6. The other statuses, one by one: few messages fail.
  if 'completed' <> any (p_statuses) then
    for v_c in
      select distinct on (u.slot, u.o) u.slot, u.o, u.status, u.error, u.n::integer as n
      from rows from (unnest(v_slot), unnest(v_valid), unnest(v_offset), unnest(p_statuses), unnest(p_errors))
        with ordinality as u (slot, valid, o, status, error, n)
      where u.valid and u.o is not null
      order by u.slot, u.o, u.n
    loop
      continue when v_c.status = 'completed'
        or v_c.o < v_committed[v_c.slot] or v_c.o <@ v_acked[v_c.slot];
      if v_c.status = 'retry' then
        v_ended[v_c.slot] := v_ended[v_c.slot] or v_c.o <@ v_leased[v_c.slot];
        if v_lone[v_c.slot] = v_c.o then
          v_lone_deliveries[v_c.slot] := greatest(v_lone_deliveries[v_c.slot] - 1, 0);
        end if;
        continue;
      end if;
      v_low := 0;
      if v_c.status = 'failed' then
        insert into queen.attempts as a (
          shard, partition_id, consumer_group, message_offset, failures, last_error, last_failed_at)
        values (p_shard, v_id[v_c.slot], v_group[v_c.slot], v_c.o, 1, v_c.error, v_now)
        on conflict (shard, partition_id, consumer_group, message_offset) do update
        set failures = least(a.failures, v_endless - 1) + 1, last_error = excluded.last_error,
            last_failed_at = excluded.last_failed_at
        returning a.failures into v_low;
        if v_low <= v_retry_limit[v_c.slot] then
          v_has_attempts[v_c.slot] := true;
          v_ended[v_c.slot] := v_ended[v_c.slot] or v_c.o <@ v_leased[v_c.slot];
          if v_retry_limit[v_c.slot] = v_endless and v_lone[v_c.slot] = v_c.o then
            v_lone_deliveries[v_c.slot] := greatest(v_lone_deliveries[v_c.slot] - 1, 0);  -- its consumer answered
          end if;
          if v_retry_delay[v_c.slot] is not null then
            v_not_before[v_c.slot] := v_now + make_interval(secs => v_retry_delay[v_c.slot] / 1000.0);
          end if;
          continue;
        end if;
        v_low := v_low - 1;  -- the last failure was no retry
      elsif v_has_attempts[v_c.slot] then
        v_low := coalesce((
          select a.failures from queen.attempts a
          where a.shard = p_shard and a.partition_id = v_id[v_c.slot] and a.consumer_group = v_group[v_c.slot]
            and a.message_offset = v_c.o), 0);
      end if;
      perform queen.dead_letter_v1(
        p_shard, array[v_id[v_c.slot]], array[v_group[v_c.slot]], array[v_c.o],
        array[coalesce(v_c.error, case v_c.status when 'failed' then 'Retries exhausted' end)],
        array[v_low::integer], v_now);
      v_done[v_c.slot] := v_done[v_c.slot] + int8multirange(int8range(v_c.o, v_c.o + 1));
      o_dead[v_c.n] := true;
    end loop;
  end if;

  -- 7. The new state of the cursors.
  for i in 1 .. cardinality(v_row) loop
    continue when v_row[i] is null;
    v_acked[i] := v_acked[i] + v_done[i] - int8multirange(int8range(null, v_committed[i]));
    if v_committed[i] <@ v_acked[i] then
      v_committed[i] := upper((select r.r from unnest(v_acked[i]) as r (r) order by r.r limit 1));
      v_acked[i] := v_acked[i] - int8multirange(int8range(null, v_committed[i]));
    end if;
    if v_ended[i] then
      v_lease[i] := null;
      v_ends[i] := upper(v_leased[i]);
    elsif v_lease[i] is not null
          and isempty(v_leased[i] - v_acked[i] - int8multirange(int8range(null, v_committed[i]))) then
      v_lease[i] := null;
      v_cap[i] := case when v_cap[i] <= 1024 then v_cap[i] * 2 end;
    end if;
    if v_lease[i] is null then
      v_expires[i] := null;
      v_leased[i] := '{}';
    end if;
    if v_has_attempts[i] and not isempty(v_done[i]) then
      delete from queen.attempts a
      where a.shard = p_shard and a.partition_id = v_id[i] and a.consumer_group = v_group[i]
        and (a.message_offset < v_committed[i] or a.message_offset <@ v_acked[i]);
      v_has_attempts[i] := exists (
        select from queen.attempts a
        where a.shard = p_shard and a.partition_id = v_id[i] and a.consumer_group = v_group[i]);
    end if;
  end loop;

  update queen.cursors c
  set committed = w.committed, acked = w.acked, lease_id = w.lease_id, lease_expires_at = w.expires,
      leased = w.leased, not_before = w.not_before, batch_cap = w.cap,
      lone_deliveries = w.lone_deliveries, has_attempts = w.has_attempts, last_consumed_at = v_now,
      redeliveries = case
        when w.ends is null then c.redeliveries
        else queen.redeliveries_v1(c.redeliveries, w.ends, w.committed)
      end
  from unnest(v_row, v_committed, v_acked, v_lease, v_expires, v_leased, v_not_before, v_cap, v_lone_deliveries,
              v_has_attempts, v_ends)
    as w (row_id, committed, acked, lease_id, expires, leased, not_before, cap, lone_deliveries, has_attempts, ends)
  where c.shard = p_shard and c.ctid = w.row_id
    and (c.committed, c.acked, c.lease_id, c.leased, c.not_before, c.lone_deliveries, c.has_attempts)
      is distinct from
        (w.committed, w.acked, w.lease_id, w.leased, w.not_before, w.lone_deliveries, w.has_attempts);

  o_cursor_queue := v_queue;
  o_cursor_partition := v_partition;
  for i in 1 .. cardinality(p_cursors) loop
    o_cursor_released[i] := case when v_row[i] is not null then v_lease[i] is null end;
  end loop;
end
$$;
