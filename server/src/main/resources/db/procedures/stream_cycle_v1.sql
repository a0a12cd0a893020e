-- revision: 5
-- One cycle of a stream processor on one source partition: changes of its state, pushes to other queues, and the ack of
-- the messages that it consumed; all of it or nothing. Takes the arguments of push_v1, and answers its result; a push
-- that is a duplicate is left out, as push_v1 does, and is no failure. o_outcome:
--   committed    all of it has happened
--   repeated     a cycle with the same idempotency key has happened; the arrays at the end are what was answered
--   again        nothing has happened: a target is gone, wants a recall or sealed messages
--   full         nothing has happened: a queue has no room
--   query, partition, lease, message, group   nothing has happened: there is no such query or partition; the lease is
--                not live; the message was not found; the group does not read the queue
--
-- p_sent and p_echo are needed with an idempotency key only: for each message of the request its place among those
-- sent, or the place of the one that it repeats (p_echo).
--
-- Called by: the broker.
-- Locks: the lane, which makes cycles of one query and partition take turns; hiding (shared), if the cursor may have to
-- be made; then partitions, in id order, and capacities, in queue order; then the cursor. No transaction that holds a
-- partition or a cursor waits for a lane. A cycle that waits for the one before it therefore holds nothing that pushes,
-- pops or acks could want.
create or replace function queen.stream_cycle_v1(
  p_shard smallint,
  p_query_id uuid,
  p_partition_id uuid,
  p_group text,
  p_key text,
  p_changes integer,
  p_delete_keys text[],
  p_keys text[],
  p_values text[],
  p_window_ends double precision[],
  p_ack_transaction_id text,
  p_ack_lease_id uuid,
  p_ack_status text,
  p_ack_count integer,
  p_ack_error text,
  p_ack_release boolean,
  p_sent integer[],
  p_echo boolean[],
  p_push queen.push_request_v1,
  out o_outcome text,
  out o_queue text,
  out o_partition text,
  out o_changes integer,
  out o_consumed integer,
  out o_released boolean,
  out o_dead boolean,
  out o_push queen.push_result_v1,
  out o_queues text[],
  out o_transaction_ids text[],
  out o_message_ids uuid[],
  out o_partition_ids uuid[],
  out o_trace_ids uuid[],
  out o_duplicates boolean[]
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_keep constant interval := interval '1 day';
  v_forget constant integer := 4;  -- old answers that each new one takes along
  v_error text;
begin
  if not exists (select from queen.stream_queries q where q.id = p_query_id) then
    o_outcome := 'query';
    return;
  end if;
  select q.name, p.name into o_queue, o_partition
  from queen.partitions p
  join queen.queues q on q.id = p.queue_id
  where p.shard = p_shard and p.id = p_partition_id;
  if not found then
    o_outcome := case when p_ack_transaction_id is null then 'partition' else 'message' end;
    return;
  end if;

  -- The turn of this cycle.
  loop
    perform from queen.stream_lanes l
    where l.shard = p_shard and l.partition_id = p_partition_id and l.query_id = p_query_id
    for no key update;
    exit when found;
    insert into queen.stream_lanes (shard, partition_id, query_id)
    values (p_shard, p_partition_id, p_query_id)
    on conflict (shard, partition_id, query_id) do nothing;
  end loop;

  -- A cycle that has happened already.
  if p_key is not null then
    select c.changes, c.queues, c.transaction_ids, c.message_ids, c.partition_ids, c.trace_ids, c.duplicates,
           c.consumed, c.released, c.dead
    into o_changes, o_queues, o_transaction_ids, o_message_ids, o_partition_ids, o_trace_ids, o_duplicates,
         o_consumed, o_released, o_dead
    from queen.stream_cycles c
    where c.shard = p_shard and c.query_id = p_query_id and c.partition_id = p_partition_id
      and c.idempotency_key = p_key;
    if found then
      o_outcome := 'repeated';
      return;
    end if;
  end if;

  if p_ack_transaction_id is not null and p_ack_lease_id is null then
    perform queen.hiding_lock_v1(p_shard, false);
  end if;
  o_changes := p_changes;
  o_consumed := p_ack_count;
  begin
    if cardinality(p_push.partition_ids) > 0 then
      select r.* into o_push from queen.push_v1(p_shard, p_push) r;
      if coalesce(cardinality(o_push.target), 0) < cardinality(p_push.partition_ids) or true = any (o_push.recall) then
        o_outcome := 'again';
        raise exception 'rolled back' using errcode = 'QM001';
      end if;
      if o_push.no_room is not null then
        o_outcome := 'full';
        raise exception 'rolled back' using errcode = 'QM001';
      end if;
    end if;

    if p_ack_transaction_id is not null then
      select r.o_error, r.o_released, r.o_dead into v_error, o_released, o_dead
      from queen.stream_ack_v1(
        p_shard, p_partition_id, p_group, p_ack_transaction_id, p_ack_lease_id, p_ack_status, p_ack_count, p_ack_error,
        p_ack_release) r;
      if v_error is not null then
        o_outcome := v_error;
        raise exception 'rolled back' using errcode = 'QM001';
      end if;
    end if;

    if cardinality(p_delete_keys) > 0 then
      delete from queen.stream_state s
      where s.shard = p_shard and s.query_id = p_query_id and s.partition_id = p_partition_id
        and s.key = any (p_delete_keys);
    end if;
    if cardinality(p_keys) > 0 then
      insert into queen.stream_state (shard, query_id, partition_id, key, value, window_end, updated_at)
      select p_shard, p_query_id, p_partition_id, u.key, u.value, u.window_end, clock_timestamp()
      from unnest(p_keys, p_values, p_window_ends) as u (key, value, window_end)
      on conflict (shard, query_id, partition_id, key) do update
      set value = excluded.value, window_end = excluded.window_end, updated_at = excluded.updated_at;
    end if;

    if p_key is not null then
      insert into queen.stream_cycles (
        shard, query_id, partition_id, idempotency_key, created_at, changes, queues, transaction_ids, message_ids,
        partition_ids, trace_ids, duplicates, consumed, released, dead)
      select p_shard, p_query_id, p_partition_id, p_key, clock_timestamp(), p_changes,
             coalesce(array_agg(p_push.queues[t.target] order by u.n), '{}'),
             coalesce(array_agg(m.transaction_id order by u.n), '{}'),
             coalesce(array_agg(coalesce(d.id, m.message_id) order by u.n), '{}'),
             coalesce(array_agg(o_push.partition_id[array_position(o_push.target, t.target)] order by u.n), '{}'),
             case when p_push.trace_ids is not null then array_agg(m.trace_id order by u.n) end,
             coalesce(array_agg(u.echo or d.id is not null order by u.n), '{}'),
             o_consumed, o_released, o_dead
      from rows from (unnest(p_sent), unnest(p_echo)) with ordinality as u (sent, echo, n)
      join rows from (
          unnest(p_push.message_segments), unnest(p_push.message_ids), unnest(p_push.transaction_ids),
          unnest(p_push.trace_ids))
        with ordinality as m (segment, message_id, transaction_id, trace_id, n) on m.n = u.sent
      cross join lateral (select p_push.segment_targets[m.segment] as target) t
      left join (  -- of several, the last one counts
        select distinct on (d.message) d.message, d.id
        from rows from (unnest(o_push.duplicate_message), unnest(o_push.duplicate_id))
          with ordinality as d (message, id, n)
        order by d.message, d.n desc
      ) d on d.message = u.sent;
      delete from queen.stream_cycles c
      where c.shard = p_shard and c.ctid = any (array(
        select c.ctid
        from queen.stream_cycles c
        where c.shard = p_shard and c.created_at < clock_timestamp() - v_keep
        order by c.created_at
        limit v_forget
        for update skip locked));
    end if;
    o_outcome := 'committed';
  exception
    when sqlstate 'QM001' then
      null;  -- the block's work is undone; the results, being variables, are kept
  end;
end
$$;
