-- revision: 7
-- Applies acknowledgements of delivered messages, any number of them in one commit. What each status does: see
-- apply_statuses_v1.
--
-- The acks come sorted by cursor (partition, group). For each cursor the caller says how many there are, and whether
-- they are plain: all of them "completed", under one lease (p_cursor_leases, else null). Plain ones are applied here,
-- if they name the lease's messages in the order in which they were delivered, or only a few of them, or offsets.
-- Nearly all acks are like that. The rest goes to apply_statuses_v1. Where all are plain, the arrays of lease ids,
-- statuses and errors may be null; those of transaction ids or offsets where no ack has one.
--
-- A batch that lies in one segment and is acked as a whole takes one statement, and so do any number of them: executing
-- plpgsql is what costs here.
--
-- Answers per cursor o_queue, o_partition (null where the group has no cursor) and o_released; and per ack o_error and
-- o_dead, both null if nothing failed and nothing became a dead letter.
--
-- p_fence: the leases that the caller requires; see apply_statuses_v1.
-- p_locked: the caller has locked the cursors at these places, and the others do not exist; null: nothing is locked
-- yet.
--
-- Called by: the broker, dead_letter_message_v1, stream_ack_v1, transaction_v1.
-- Locks: cursors, in key order, each once. A cursor that was missing when its turn came is missing for the whole call:
-- locking it later, after another transaction has made it, would be out of order.
create or replace function queen.ack_v1(
  p_shard smallint,
  p_cursor_ids uuid[],
  p_cursor_groups text[],
  p_cursor_counts integer[],
  p_cursor_leases uuid[],
  p_transaction_ids text[],
  p_offsets bigint[],
  p_lease_ids uuid[],
  p_statuses text[],
  p_errors text[],
  p_fence uuid[],
  p_locked integer[],
  out o_queue text[],
  out o_partition text[],
  out o_released boolean[],
  out o_error text[],
  out o_dead boolean[]
)
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
set jit = off
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
as $$
declare
  v_few constant integer := 8;
  v_count constant integer := cardinality(p_cursor_ids);
  v_last integer := 0;        -- the last ack of the cursor before
  v_rest integer[] := '{}';   -- cursors that are not finished here
  v_missing integer[] := '{}';  -- those that do not exist
  v_queue text;
  v_partition text;
  v_settled integer[];
  v_queues text[];
  v_partitions text[];
  v_c record;
  v_now timestamptz;
  v_covered text[];           -- the transaction ids that the lease covers
  v_place integer;
  v_done int8multirange;
  v_committed bigint;
  v_acked int8multirange;
  v_ended boolean;
begin
  o_queue := array_fill(null::text, array[v_count]);
  o_partition := o_queue;
  o_released := array_fill(null::boolean, array[v_count]);

  -- 1. Cursors are made before any is locked: see open_cursors_v1. Only for groups that have subscribed to the queue:
  -- an ack makes no group.
  if p_fence is null and p_lease_ids is not null and array_position(p_lease_ids, null) is not null then
    perform queen.open_cursors_v1(p_shard, array_agg(u.id), array_agg(u.consumer_group))
    from (
      select c.id, c.consumer_group, c.acks, (sum(c.acks) over (order by c.n))::integer as last
      from rows from (unnest(p_cursor_ids), unnest(p_cursor_groups), unnest(p_cursor_counts))
        with ordinality as c (id, consumer_group, acks, n)
    ) u
    where array_position(p_lease_ids[u.last - u.acks + 1 : u.last], null) is not null
      and queen.may_open_v1(p_shard, u.id, u.consumer_group);
  end if;

  -- 2. Several leases that are acked as a whole, in one statement.
  if v_count > 1 and p_statuses is null then
    -- Locked first, all of them in key order: what is not finished here is looked at below.
    if p_locked is null then
      select array_agg(k.n) into p_locked
      from (
        select u.id, u.consumer_group, u.n::integer as n
        from rows from (unnest(p_cursor_ids), unnest(p_cursor_groups)) with ordinality as u (id, consumer_group, n)
        order by u.n
        offset 0
      ) k
      cross join lateral (
        select c.committed
        from queen.cursors c
        where c.shard = p_shard and c.partition_id = k.id and c.consumer_group = k.consumer_group
        for no key update
      ) c;
      p_locked := coalesce(p_locked, '{}');
    end if;
    -- The rows are found first, by key, and then updated by ctid. In one update that joins them, the planner would walk
    -- through all cursors of the shard while the table has no statistics.
    with answered as materialized (
      select u.n, c.row_id, p.queue, p.partition
      from (
        select u.n, u.id, u.consumer_group, u.acks, u.lease_id, sum(u.acks) over (order by u.n) as last
        from rows from (unnest(p_cursor_ids), unnest(p_cursor_groups), unnest(p_cursor_counts), unnest(p_cursor_leases))
          with ordinality as u (id, consumer_group, acks, lease_id, n)
        offset 0
      ) u
      cross join lateral (
        select c.ctid as row_id, c.committed, c.leased
        from queen.cursors c
        where c.shard = p_shard and c.partition_id = u.id and c.consumer_group = u.consumer_group
          and c.lease_id = u.lease_id and c.lease_expires_at > clock_timestamp()
          and not c.has_attempts and isempty(c.acked)
        offset 0
      ) c
      cross join lateral (
        select p.first_offset, p.name as partition, q.name as queue
        from queen.partitions p
        join queen.queues q on q.id = p.queue_id
        where p.shard = p_shard and p.id = u.id
        offset 0
      ) p
      where u.n = any (p_locked)
        and c.leased = int8multirange(int8range(greatest(c.committed, p.first_offset),
                                                greatest(c.committed, p.first_offset) + u.acks))
        and case
          when p_transaction_ids[u.last - u.acks + 1] is null then
            (select p_offsets)[u.last - u.acks + 1 : u.last]
              = array(select generate_series(lower(c.leased), upper(c.leased) - 1))
          else
            (select p_transaction_ids)[u.last - u.acks + 1 : u.last] = (
              select case
                when s.base_offset = lower(c.leased) and s.message_count = u.acks then s.transaction_ids
                else s.transaction_ids[lower(c.leased) - s.base_offset + 1 : upper(c.leased) - s.base_offset]
              end
              from queen.segments s
              where s.shard = p_shard and s.partition_id = u.id and s.base_offset <= lower(c.leased)
              order by s.base_offset desc
              limit 1)
        end
    ), settled as (
      update queen.cursors c
      set committed = upper(c.leased), lease_id = null, lease_expires_at = null, leased = '{}',
          batch_cap = case when c.batch_cap <= 1024 then c.batch_cap * 2 end, last_consumed_at = clock_timestamp()
      from answered u
      where c.shard = p_shard and c.ctid = u.row_id
      returning u.n::integer as n, u.queue, u.partition
    )
    select array_agg(s.n), array_agg(s.queue), array_agg(s.partition)
    into v_settled, v_queues, v_partitions
    from settled s;
    for k in 1 .. coalesce(cardinality(v_settled), 0) loop
      o_queue[v_settled[k]] := v_queues[k];
      o_partition[v_settled[k]] := v_partitions[k];
      o_released[v_settled[k]] := true;
    end loop;
  end if;

  -- 3. Cursor by cursor.
  for i in 1 .. v_count loop
    if i > 1 and (p_cursor_ids[i], p_cursor_groups[i] collate "C")
               <= (p_cursor_ids[i - 1], p_cursor_groups[i - 1] collate "C") then
      raise exception 'acks are not sorted by cursor' using errcode = 'invalid_parameter_value';
    end if;
    if o_released[i] then
      v_last := v_last + p_cursor_counts[i];
      continue;
    end if;
    if i <> all (p_locked) then
      v_missing := v_missing || i;
      v_rest := v_rest || i;
      v_last := v_last + p_cursor_counts[i];
      continue;
    end if;
    -- One lease that is acked as a whole.
    if p_cursor_leases[i] is not null and (v_count = 1 or p_statuses is not null) then
      update queen.cursors c
      set committed = upper(c.leased), lease_id = null, lease_expires_at = null, leased = '{}',
          batch_cap = case when c.batch_cap <= 1024 then c.batch_cap * 2 end, last_consumed_at = clock_timestamp()
      from queen.partitions p
      join queen.queues q on q.id = p.queue_id
      where c.shard = p_shard and c.partition_id = p_cursor_ids[i] and c.consumer_group = p_cursor_groups[i]
        and p.shard = p_shard and p.id = p_cursor_ids[i]
        and c.lease_id = p_cursor_leases[i] and c.lease_expires_at > clock_timestamp()
        and not c.has_attempts and isempty(c.acked)
        and c.leased = int8multirange(int8range(greatest(c.committed, p.first_offset),
                                                greatest(c.committed, p.first_offset) + p_cursor_counts[i]))
        and case
          when p_transaction_ids[v_last + 1] is null then
            p_offsets[v_last + 1 : v_last + p_cursor_counts[i]]
              = array(select generate_series(lower(c.leased), upper(c.leased) - 1))
          else
            p_transaction_ids[v_last + 1 : v_last + p_cursor_counts[i]] = (
              select case
                when s.base_offset = lower(c.leased) and s.message_count = p_cursor_counts[i] then s.transaction_ids
                else s.transaction_ids[lower(c.leased) - s.base_offset + 1 : upper(c.leased) - s.base_offset]
              end
              from queen.segments s
              where s.shard = p_shard and s.partition_id = p_cursor_ids[i] and s.base_offset <= lower(c.leased)
              order by s.base_offset desc
              limit 1)
        end
      returning q.name, p.name into v_queue, v_partition;
      if found then
        o_queue[i] := v_queue;
        o_partition[i] := v_partition;
        o_released[i] := true;
        v_last := v_last + p_cursor_counts[i];
        continue;
      end if;
    end if;

    -- A part of a lease, or a lease over several segments.
    select c.ctid as row_id, c.committed, c.acked, c.lease_id, c.lease_expires_at, c.leased, c.batch_cap,
           c.has_attempts, p.first_offset, p.name as partition, q.name as queue
    into v_c
    from queen.cursors c
    join queen.partitions p on p.shard = p_shard and p.id = p_cursor_ids[i]
    join queen.queues q on q.id = p.queue_id
    where c.shard = p_shard and c.partition_id = p_cursor_ids[i] and c.consumer_group = p_cursor_groups[i]
    for no key update of c;
    v_now := clock_timestamp();
    v_done := null;
    if v_c.row_id is null then
      v_missing := v_missing || i;
    end if;

    if v_c.row_id is not null and v_c.lease_id = p_cursor_leases[i] and v_c.lease_expires_at > v_now
       and lower(v_c.leased) >= v_c.first_offset and not v_c.has_attempts then
      if p_offsets[v_last + 1] is not null then
        select range_agg(int8range(o.o, o.o + 1)) into v_done
        from unnest(p_offsets[v_last + 1 : v_last + p_cursor_counts[i]]) as o (o);
        if not v_done <@ v_c.leased then
          v_done := null;
        end if;
      else
        select array_agg(t.id order by s.base_offset, t.n) into v_covered
        from unnest(v_c.leased) as r (r)
        cross join lateral (
          select s.base_offset, s.message_count, s.transaction_ids
          from queen.segments s
          where s.shard = p_shard and s.partition_id = p_cursor_ids[i]
            and s.base_offset >= (
              select b.base_offset
              from queen.segments b
              where b.shard = p_shard and b.partition_id = p_cursor_ids[i] and b.base_offset <= lower(r.r)
              order by b.base_offset desc
              limit 1)
            and s.base_offset < upper(r.r)
          offset 0
        ) s
        cross join lateral unnest(
          s.transaction_ids[
            greatest(lower(r.r) - s.base_offset, 0) + 1 : least(upper(r.r) - s.base_offset, s.message_count)]
        ) with ordinality as t (id, n);
        if v_covered = p_transaction_ids[v_last + 1 : v_last + p_cursor_counts[i]] then
          v_done := v_c.leased;
        elsif p_cursor_counts[i] <= v_few
              and upper(v_c.leased) - lower(v_c.leased) = cardinality(v_covered) then
          -- A few of a lease without gaps, none of whose ids occurs twice.
          v_done := '{}';
          for k in v_last + 1 .. v_last + p_cursor_counts[i] loop
            v_place := array_position(v_covered, p_transaction_ids[k]);
            if v_place is null or array_position(v_covered, p_transaction_ids[k], v_place + 1) is not null then
              v_done := null;
              exit;
            end if;
            v_done := v_done + int8multirange(
              int8range(lower(v_c.leased) + v_place - 1, lower(v_c.leased) + v_place));
          end loop;
        end if;
      end if;
    end if;

    if v_done is null then
      v_rest := v_rest || i;
    else
      v_committed := greatest(v_c.committed, v_c.first_offset);
      v_acked := v_c.acked + v_done - int8multirange(int8range(null, v_committed));
      if v_committed <@ v_acked then
        v_committed := upper((select r.r from unnest(v_acked) as r (r) order by r.r limit 1));
        v_acked := v_acked - int8multirange(int8range(null, v_committed));
      end if;
      v_ended := isempty(v_c.leased - v_acked - int8multirange(int8range(null, v_committed)));
      if v_ended then
        update queen.cursors c
        set committed = v_committed, acked = v_acked, lease_id = null, lease_expires_at = null, leased = '{}',
            batch_cap = case when v_c.batch_cap <= 1024 then v_c.batch_cap * 2 end, last_consumed_at = v_now
        where c.shard = p_shard and c.partition_id = p_cursor_ids[i] and c.consumer_group = p_cursor_groups[i]
          and c.ctid = v_c.row_id;
      else
        update queen.cursors c set committed = v_committed, acked = v_acked, last_consumed_at = v_now
        where c.shard = p_shard and c.partition_id = p_cursor_ids[i] and c.consumer_group = p_cursor_groups[i]
          and c.ctid = v_c.row_id;
      end if;
      o_queue[i] := v_c.queue;
      o_partition[i] := v_c.partition;
      o_released[i] := v_ended;
    end if;
    v_last := v_last + p_cursor_counts[i];
  end loop;

  -- 4. The rest, the general way.
  if cardinality(v_rest) > 0 then
    if p_statuses is null then
      p_statuses := array_fill('completed'::text, array[v_last]);
      p_errors := array_fill(null::text, array[v_last]);
      p_lease_ids := array(
        select c.lease_id
        from rows from (unnest(p_cursor_leases), unnest(p_cursor_counts)) with ordinality as c (lease_id, acks, n)
        cross join lateral generate_series(1, c.acks)
        order by c.n);
    end if;
    p_transaction_ids := coalesce(p_transaction_ids, array_fill(null::text, array[v_last]));
    p_offsets := coalesce(p_offsets, array_fill(null::bigint, array[v_last]));
    select r.o_cursor_queue, r.o_cursor_partition, r.o_cursor_released, r.o_error, r.o_dead
    into v_c
    from queen.apply_statuses_v1(
      p_shard, p_cursor_ids, p_cursor_groups, p_cursor_counts, v_rest, p_transaction_ids, p_offsets, p_lease_ids,
      p_statuses, p_errors, p_fence, v_missing) r;
    o_error := v_c.o_error;
    o_dead := v_c.o_dead;
    for k in 1 .. cardinality(v_rest) loop
      o_queue[v_rest[k]] := v_c.o_cursor_queue[k];
      o_partition[v_rest[k]] := v_c.o_cursor_partition[k];
      o_released[v_rest[k]] := v_c.o_cursor_released[k];
    end loop;
  end if;
end
$$;
