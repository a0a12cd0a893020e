-- revision: 1
-- Leases messages to any number of requests in one commit.
--
-- A request names a consumer group, how many messages and how many partitions it takes at most, and where it
-- looks: one partition by name (p_partitions[r] not null), or candidate partitions by id in the order of its
-- preference (p_candidate_*). Requests are served in order; a partition that one has taken is not offered to the
-- next of the same group.
--
-- Answers, per request: rows of state 'messages', one for each piece of a segment it was given, and rows that say
-- why a partition gave nothing, with the moment from which it may (due_at, where it is known):
--   empty     nothing behind the cursor          leased    another consumer of the group has it
--   delayed   not due yet: delayedProcessing     paused    a message failed and retryDelay runs
--   window    windowBuffer is open               busy      its cursor is locked by another transaction: ask again
--   alone     it must be delivered alone, and this answer has other messages already: ask again
--   missing   no such partition
--
-- A candidate whose cursor is locked is skipped; a partition asked for by name is waited for. Locks: cursors, in
-- key order, named ones first (only they are waited for).
--
-- A message that kills its consumers: a lease that ran out halves the partition's next batch, down to one message,
-- which is then delivered alone, with nothing from other partitions beside it. How often a message was delivered
-- alone is counted when the lease is given; past the retry limit it goes to the dead letters. An answered batch
-- lets the next one double.
create or replace function queen.pop_v1(
  p_shard smallint,
  p_queues text[],
  p_partitions text[],
  p_groups text[],
  p_batches integer[],
  p_max_partitions integer[],
  p_auto_acks boolean[],
  p_subscription_modes text[],
  p_subscription_froms timestamptz[],
  p_candidate_requests integer[],
  p_candidate_ids uuid[]
) returns table (
  request integer,
  state text,
  queue text,
  partition text,
  partition_id uuid,
  due_at timestamptz,
  lease_id uuid,
  backlog bigint,
  encrypted boolean,
  created_at timestamptz,
  base_offset bigint,
  message_ids uuid[],
  transaction_ids text[],
  payloads text[],
  trace_ids uuid[],
  producer_subs text[]
)
language plpgsql
set enable_seqscan = off
set jit = off
as $$
#variable_conflict use_column
declare
  v_count constant integer := cardinality(p_groups);
  -- candidates, the named partitions among them
  v_requests integer[] := p_candidate_requests;
  v_ids uuid[] := p_candidate_ids;
  v_newcomers integer[];
  v_now timestamptz;
  -- the locked cursors, by slot: the position of (partition, group) in key order
  v_cursors queen.cursors[] := '{}';
  v_rows tid[] := '{}';
  v_taken boolean[] := '{}';
  -- the request being served
  v_request integer := 0;
  v_batch_left integer;
  v_partitions_left integer;
  v_lease uuid[] := array_fill(null::uuid, array[v_count]);
  v_total integer[] := array_fill(0, array[v_count]);
  v_granted integer;
  v_several boolean := false;
  -- the candidate being looked at
  v_c record;
  v_cursor queen.cursors;
  v_state text;
  v_due timestamptz;
  v_start bigint;
  v_end bigint;
  v_done int8multirange;
  v_grant int8multirange;
  v_size bigint;
  v_cap integer;
  v_lone bigint;
  v_lone_deliveries integer;
  v_expires timestamptz;
  -- cursors to write, one entry each; request 0: no lease
  w_row tid[] := '{}';
  w_committed bigint[] := '{}';
  w_acked int8multirange[] := '{}';
  w_leased int8multirange[] := '{}';
  w_request integer[] := '{}';
  w_expires timestamptz[] := '{}';
  w_cap integer[] := '{}';
  w_lone bigint[] := '{}';
  w_lone_deliveries integer[] := '{}';
  -- what to hand out, one entry per partition
  g_request integer[] := '{}';
  g_id uuid[] := '{}';
  g_queue text[] := '{}';
  g_partition text[] := '{}';
  g_ranges int8multirange[] := '{}';
  g_expires timestamptz[] := '{}';
  g_backlog bigint[] := '{}';
  -- what gave nothing
  n_request integer[] := '{}';
  n_id uuid[] := '{}';
  n_state text[] := '{}';
  n_due timestamptz[] := '{}';
begin
  if cardinality(array_remove(p_partitions, null)) > 0 then
    select v_requests || array_agg(w.n::integer order by w.n), v_ids || array_agg(p.id order by w.n)
    into v_requests, v_ids
    from rows from (unnest(p_queues), unnest(p_partitions)) with ordinality as w (queue, partition, n)
    left join lateral (
      select p.id
      from queen.queues q
      cross join lateral (
        select p.id from queen.partitions p
        where p.shard = p_shard and p.queue_id = q.id and p.name = w.partition
      ) p
      where q.name = w.queue
      offset 0
    ) p on true
    where w.partition is not null;
  end if;

  -- First contact: a group's start is recorded before anything is looked at, also where there is nothing yet.
  -- A request whose candidates all have cursors is no first contact.
  select array_agg(distinct m.request) into v_newcomers
  from (
    select u.request
    from unnest(v_requests, v_ids) as u (request, id)
    left join lateral (
      select c.committed
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = u.id and c.consumer_group = p_groups[u.request]
      offset 0
    ) c on true
    where c.committed is null
    union all
    select r.n from generate_series(1, v_count) as r (n) where r.n <> all (v_requests)
  ) m;
  if v_newcomers is not null then
    perform queen.subscribe_v1(
      p_shard, v_newcomers, p_queues, p_partitions, p_groups, p_subscription_modes, p_subscription_froms,
      v_requests, v_ids);
    perform queen.open_cursors_v1(p_shard, array_agg(u.id), array_agg(p_groups[u.request]))
    from unnest(v_requests, v_ids) as u (request, id)
    where u.request = any (v_newcomers) and u.id is not null
    having count(*) > 0;
  end if;

  if cardinality(array_remove(p_partitions, null)) > 0 then
    perform from (
      select distinct u.id, p_groups[u.request] as consumer_group
      from unnest(v_requests, v_ids) as u (request, id)
      where p_partitions[u.request] is not null and u.id is not null
      order by 1, 2
      offset 0
    ) w
    cross join lateral (
      select c.committed from queen.cursors c
      where c.shard = p_shard and c.partition_id = w.id and c.consumer_group = w.consumer_group
      for no key update
    ) c;
  end if;

  for v_c in
    select w.slot, c.row_id, c.whole
    from (
      select u.id, u.consumer_group, row_number() over (order by u.id, u.consumer_group) as slot
      from (
        select distinct u.id, p_groups[u.request] as consumer_group
        from unnest(v_requests, v_ids) as u (request, id)
        where u.id is not null
      ) u
      order by u.id, u.consumer_group
      offset 0
    ) w
    cross join lateral (
      select c.ctid as row_id, c as whole
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = w.id and c.consumer_group = w.consumer_group
      for no key update skip locked
    ) c
  loop
    v_cursors[v_c.slot] := v_c.whole;
    v_rows[v_c.slot] := v_c.row_id;
  end loop;
  v_now := clock_timestamp();

  -- Read after the locks: everything that was committed before them is seen.
  for v_c in
    select u.request, u.id,
           dense_rank() over (order by u.id, p_groups[u.request]) as slot,
           p.partition, p.first_offset, p.next_offset, p.last_append_at,
           p.queue, p.lease_time, p.retry_limit, p.delayed_processing, p.window_buffer
    from rows from (unnest(v_requests), unnest(v_ids)) with ordinality as u (request, id, n)
    left join lateral (
      select p.name as partition, p.first_offset, p.next_offset, p.last_append_at,
             q.name as queue, q.lease_time, q.retry_limit, q.delayed_processing, q.window_buffer
      from queen.partitions p
      cross join lateral (select q.* from queen.queues q where q.id = p.queue_id offset 0) q
      where p.shard = p_shard and p.id = u.id
      offset 0
    ) p on true
    order by u.request, u.n
  loop
    if v_c.request <> v_request then
      v_request := v_c.request;
      v_batch_left := p_batches[v_request];
      v_partitions_left := p_max_partitions[v_request];
      v_granted := 0;
    end if;
    continue when v_batch_left <= 0 or v_partitions_left <= 0;

    v_cursor := v_cursors[v_c.slot];
    v_start := greatest(v_cursor.committed, v_c.first_offset);
    v_end := v_c.next_offset;
    v_cap := v_cursor.batch_cap;
    v_state := null;
    v_due := null;
    if v_c.queue is null then
      v_state := 'missing';
    elsif v_rows[v_c.slot] is null then
      v_state := 'busy';
    elsif v_taken[v_c.slot] then
      v_state := 'leased';
    elsif v_cursor.lease_expires_at > v_now then
      v_state := 'leased';
      v_due := v_cursor.lease_expires_at;
    elsif v_cursor.not_before > v_now then
      v_state := 'paused';
      v_due := v_cursor.not_before;
    elsif v_start >= v_end then
      v_state := 'empty';
    elsif v_c.window_buffer > 0 and v_c.last_append_at + make_interval(secs => v_c.window_buffer) > v_now then
      v_state := 'window';
      v_due := v_c.last_append_at + make_interval(secs => v_c.window_buffer);
    else
      if v_c.delayed_processing > 0 then
        v_end := queen.offset_after_v1(
          p_shard, v_c.id, v_start, v_end, v_now - make_interval(secs => v_c.delayed_processing));
        if v_end <= v_start then
          v_state := 'delayed';
          v_due := (
            select s.created_at + make_interval(secs => v_c.delayed_processing)
            from queen.segments s
            where s.shard = p_shard and s.partition_id = v_c.id and s.base_offset <= v_start
            order by s.base_offset desc
            limit 1);
        end if;
      end if;
      if v_cursor.lease_id is not null and v_state is null then
        v_size := queen.multirange_size_v1(
          v_cursor.leased - v_cursor.acked - int8multirange(int8range(null, v_start)));
        if v_size > 0 then
          v_cap := greatest(1, v_size / 2);
        end if;
      end if;
      if v_state is null and v_cap = 1 and v_granted > 0 then
        v_state := 'alone';
      end if;
    end if;
    if v_state is not null then
      n_request := n_request || v_request;
      n_id := n_id || v_c.id;
      n_state := n_state || v_state;
      n_due := n_due || v_due;
      continue;
    end if;

    v_taken[v_c.slot] := true;
    v_done := v_cursor.acked;
    v_lone := v_cursor.lone_offset;
    v_lone_deliveries := v_cursor.lone_deliveries;
    if v_lone = v_start and v_lone_deliveries > v_c.retry_limit then
      perform queen.bury_v1(
        p_shard, array[v_c.id], array[p_groups[v_request]], array[v_start],
        array['Delivered alone ' || v_lone_deliveries || ' times without an answer'],
        array[v_lone_deliveries - 1], v_now);
      v_done := v_done + int8multirange(int8range(v_start, v_start + 1));
      v_start := (select upper(r.r) from unnest(v_done) as r (r) order by r.r limit 1);
      v_done := v_done - int8multirange(int8range(null, v_start));
      v_lone := null;
      v_lone_deliveries := 0;
    end if;

    if v_start >= v_end then
      v_grant := '{}';
      v_size := 0;
    elsif isempty(v_done) then
      v_grant := int8multirange(int8range(v_start, least(v_start + least(v_batch_left, v_cap), v_end)));
      v_size := upper(v_grant) - lower(v_grant);
    else
      v_grant := queen.first_n_v1(v_start, v_end, v_done, least(v_batch_left, v_cap));
      v_size := queen.multirange_size_v1(v_grant);
    end if;

    v_expires := null;
    if v_size = 0 then
      n_request := n_request || v_request;
      n_id := n_id || v_c.id;
      n_state := n_state || 'empty'::text;
      n_due := n_due || v_due;
    else
      v_granted := v_granted + 1;
      v_total[v_request] := v_total[v_request] + v_size;
      v_batch_left := v_batch_left - v_size;
      v_partitions_left := case when v_cap = 1 then 0 else v_partitions_left - 1 end;
      if p_auto_acks[v_request] then
        v_done := v_done + v_grant;
        v_start := (select upper(r.r) from unnest(v_done) as r (r) order by r.r limit 1);
        v_done := v_done - int8multirange(int8range(null, v_start));
      else
        v_expires := v_now + make_interval(secs => coalesce(nullif(v_c.lease_time, 0), 60));
        -- A lease over one partition carries the partition in its first 48 bits, so that it is found by its id
        -- alone; one over several has a row that lists them. The version digit (8 or 4) tells which.
        if v_granted = 1 then
          v_lease[v_request] := (left(v_c.id::text, 13) || '-8' || substr(gen_random_uuid()::text, 16))::uuid;
        elsif v_granted = 2 then
          v_lease[v_request] := gen_random_uuid();
          v_several := true;
        end if;
      end if;
      g_request := g_request || v_request;
      g_id := g_id || v_c.id;
      g_queue := g_queue || v_c.queue;
      g_partition := g_partition || v_c.partition;
      g_ranges := g_ranges || v_grant;
      g_expires := g_expires || v_expires;
      g_backlog := g_backlog || (v_c.next_offset - upper(v_grant));
    end if;
    w_row := w_row || v_rows[v_c.slot];
    w_committed := w_committed || v_start;
    w_acked := w_acked || v_done;
    w_leased := w_leased || case when v_expires is null then '{}'::int8multirange else v_grant end;
    w_request := w_request || case when v_expires is null then 0 else v_request end;
    w_expires := w_expires || v_expires;
    w_cap := w_cap || v_cap;
    w_lone := w_lone || v_lone;
    w_lone_deliveries := w_lone_deliveries || v_lone_deliveries;
  end loop;

  if cardinality(w_row) > 0 then
    if v_several then
      insert into queen.leases (shard, lease_id, consumer_group, partition_ids, created_at)
      select p_shard, v_lease[u.request], p_groups[u.request], array_agg(u.id), v_now
      from unnest(g_request, g_id) as u (request, id)
      where not p_auto_acks[u.request]
      group by u.request
      having count(*) > 1;
    end if;

    update queen.cursors c
    set committed = w.committed,
        acked = w.acked,
        lease_id = v_lease[w.request],
        lease_expires_at = w.expires,
        leased = w.leased,
        not_before = null,
        batch_cap = w.cap,
        lone_offset = case when v_total[w.request] = 1 then lower(w.leased) else w.lone end,
        lone_deliveries = case
          when v_total[w.request] = 1 and lower(w.leased) = w.lone then w.lone_deliveries + 1
          when v_total[w.request] = 1 then 1
          else w.lone_deliveries
        end
    from unnest(w_row, w_committed, w_acked, w_leased, w_request, w_expires, w_cap, w_lone, w_lone_deliveries)
      as w (row_id, committed, acked, leased, request, expires, cap, lone, lone_deliveries)
    where c.ctid = w.row_id;
    get diagnostics v_granted = row_count;
    if v_granted <> cardinality(w_row) then
      raise exception 'wrote % of % cursors', v_granted, cardinality(w_row) using errcode = 'serialization_failure';
    end if;

    return query
      select g.request, 'messages', g.queue, g.partition, g.id, g.expires, v_lease[g.request], g.backlog,
             s.encrypted, s.created_at, p.from_offset,
             case when p.whole then s.message_ids else s.message_ids[p.low : p.high] end,
             case when p.whole then s.transaction_ids else s.transaction_ids[p.low : p.high] end,
             case when p.whole then s.payloads else s.payloads[p.low : p.high] end,
             case when p.whole then s.trace_ids else s.trace_ids[p.low : p.high] end,
             case when p.whole then s.producer_subs else s.producer_subs[p.low : p.high] end
      from unnest(g_request, g_id, g_queue, g_partition, g_ranges, g_expires, g_backlog)
        as g (request, id, queue, partition, ranges, expires, backlog)
      cross join lateral (
        select lower(r.r) as low, upper(r.r) as high from unnest(g.ranges) as r (r)
      ) r
      cross join lateral (
        select s.*
        from queen.segments s
        where s.shard = p_shard and s.partition_id = g.id
          and s.base_offset >= coalesce((
            select b.base_offset
            from queen.segments b
            where b.shard = p_shard and b.partition_id = g.id and b.base_offset <= r.low
            order by b.base_offset desc
            limit 1), r.low)
          and s.base_offset < r.high
          and s.base_offset + s.message_count > r.low
        order by s.base_offset
        offset 0
      ) s
      cross join lateral (
        select greatest(s.base_offset, r.low) as from_offset,
               (greatest(r.low - s.base_offset, 0) + 1)::integer as low,
               least(r.high - s.base_offset, s.message_count)::integer as high,
               r.low <= s.base_offset and r.high >= s.base_offset + s.message_count as whole
      ) p;
  end if;

  if cardinality(n_request) > 0 then
    return query
      select n.request, n.state, null::text, null::text, n.id, n.due, null::uuid, null::bigint, null::boolean,
             null::timestamptz, null::bigint, null::uuid[], null::text[], null::text[], null::uuid[], null::text[]
      from unnest(n_request, n_state, n_id, n_due) as n (request, state, id, due);
  end if;
end
$$;
