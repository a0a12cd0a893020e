-- revision: 12
-- Leases messages to any number of requests in one commit.
--
-- A request names a consumer group, how many messages and how many partitions it takes at most, and where it looks: one
-- partition by name (p_partitions[r] not null), or candidate partitions by id in the order of its preference
-- (p_candidate_*). Requests are served in order; a partition that one has taken is not offered to the next of the same
-- group.
--
-- Answers, per request: rows of state 'messages', one for each piece of a segment it was given, and rows that say why a
-- partition gave nothing, with the moment from which it may (due_at, where it is known):
--   empty     nothing behind the cursor          leased    another consumer of the group has it
--   delayed   not due yet: delayedProcessing     paused    a message failed and retryDelay runs
--   window    windowBuffer is open               busy      its cursor is locked by another transaction: ask again
--             or more has expired (ttl) than one pop copies to the dead letters
--   alone     it must be delivered alone, and this answer has other messages already: ask again
--   missing   no such partition                  stopped   an operator paused pops of the queue or of the group
--   large     what it would give does not fit: see below
-- or, in place of all that, rows of state 'contact': nothing was given, because candidates have no cursor yet.
-- base_offset is the place of one among the candidates, named partitions included. The caller has their cursors made
-- (first_contact_v1) and asks again.
--
-- A message that kills its consumers: an expired lease halves the partition's next batch, down to one message, which is
-- then delivered alone, with nothing from other partitions beside it. How often a message was delivered alone is
-- counted when the lease is given; past the retry limit it becomes a dead letter. A batch that is acked lets the next
-- one double.
--
-- p_holders says who gets the lease of each request, as JSON text. redeliveries, in a row of messages, says how often
-- they were delivered before (redeliveries_v1); null: never.
--
-- Messages older than the queue's ttl are not given: the cursor skips them, all at once. created_at never decreases
-- along a partition, so it is enough to look at the first message; if that is young enough, all are.
--
-- form, in a row of messages, says how their payloads are stored and had to be (payload_form_v1).
--
-- autoAck. What is handed out counts as done at once, and is recorded under the request's id (p_pop_ids), so that a
-- broker that gets no reply can undo it (undo_auto_pop_v1); a pop whose id is recorded already fails. Messages that are
-- encrypted get a lease all the same, as do plain ones that had to be: the broker has to decrypt them first, and marks
-- as done what it could decrypt (complete_leases_v1). Otherwise others would get newer messages before one that could
-- not be decrypted.
--
-- largest, of a partition, is the largest payload that it was ever given. Usually it shows that everything fits, and no
-- segment is looked at. p_bytes is the room for the answers of all requests together, as fitting_v1 counts. Nothing is
-- leased beyond it: the caller has no memory for more. A request whose first partition does not fit gets none and a row
-- 'large': base_offset is the bytes of all of it, backlog those of the first segment, due_at the clock. The caller asks
-- again with more room, and p_cut: then a request gets as many as fit, and 'large' if that is none. A request over
-- several partitions ends where the room ends, once it has got the first.
--
-- p_named says whether any request names a partition; p_simple that each request has candidates, no more than it takes
-- partitions, and no two of a group the same, so that no request depends on what another leaves. Little plpgsql is
-- executed on the usual way: each of its expressions is prepared again in every transaction.
--
-- Called by: the broker.
-- Locks: subscriptions, of groups that have nothing to read yet; then the cursors of named partitions, in key order,
-- which are waited for; then candidates: one whose cursor is locked is skipped. Cursors that do not exist yet are made
-- in a call of their own, before any is locked (first_contact_v1).
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
  p_named boolean,
  p_simple boolean,
  p_candidate_requests integer[],
  p_candidate_ids uuid[],
  p_holders text[],
  p_pop_ids uuid[],
  p_bytes bigint,
  p_cut boolean
) returns table (
  request integer,
  state text,
  queue text,
  partition text,
  partition_id uuid,
  due_at timestamptz,
  lease_id uuid,
  backlog bigint,
  form smallint,
  created_at timestamptz,
  base_offset bigint,
  message_ids uuid[],
  transaction_ids text[],
  payloads text[],
  trace_ids uuid[],
  producer_subs text[],
  redeliveries bigint[]
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
#variable_conflict use_column
declare
  v_requests integer[] := p_candidate_requests;  -- of the candidates, named partitions among them
  v_ids uuid[] := p_candidate_ids;
  v_unopened integer[];                          -- positions of candidates without a cursor
  v_opened boolean := false;                     -- all candidates are known to have one
  v_waiting boolean := false;                    -- some request has no partition at all
  v_named integer;                               -- how many cursors of named partitions there should be
  v_settled boolean;
  -- the request being served
  v_request integer := 0;
  v_group text;
  v_batch_left bigint;
  v_partitions_left integer;
  v_granted integer;   -- partitions
  v_first integer;     -- its first grant
  v_several boolean;   -- some request got several partitions
  v_bytes_left bigint := p_bytes;
  v_fit record;
  -- the candidate being looked at
  v_c record;
  v_end bigint;
  v_rest boolean;      -- more has expired
  v_size bigint;
  v_upper bigint;
  -- what was decided
  v_grants queen.grant_v1[];
  v_rows tid[];        -- the cursors of the grants
  n_request integer[];
  n_id uuid[];
  n_state text[];
  n_due timestamptz[];
  l_request integer[];  -- what is large
  l_id uuid[];
  l_all bigint[];
  l_first bigint[];
begin
  -- Candidates: those given by id, and those given by name.
  if p_named then
    select array_agg(c.request order by c.request, c.n), array_agg(c.id order by c.request, c.n)
    into v_requests, v_ids
    from queen.pop_candidates_v1(p_shard, p_queues, p_partitions, p_candidate_requests, p_candidate_ids) c;
  end if;

  -- Subscriptions. A group that has nothing to read yet subscribes, before any cursor is locked: first contacts have
  -- subscriptions before cursors, too. If a cursor is to be made, all of this is left to the first contact, so that the
  -- requests count in their order.
  if p_named and cardinality(v_ids) = cardinality(p_groups) and cardinality(p_candidate_ids) = 0 then
    v_waiting := array_position(v_ids, null) is not null;
  elsif not p_simple then
    v_waiting := exists (
      select from generate_series(1, cardinality(p_groups)) as r (n)
      where not exists (
        select from unnest(v_requests, v_ids) as c (request, id) where c.request = r.n and c.id is not null));
  end if;
  if v_waiting then
    v_unopened := queen.unopened_v1(p_shard, p_groups, v_requests, v_ids);
    if v_unopened = '{}' then
      perform queen.subscribe_v1(
        p_shard, p_queues, p_partitions, p_groups, p_subscription_modes, p_subscription_froms,
        v_requests, v_ids, null);
      v_opened := true;
    end if;
  end if;

  -- Locks of partitions that are asked for by name.
  if p_named and coalesce(v_unopened, '{}') = '{}' then
    select count(*), count(c.committed) into v_named, v_size
    from (
      select distinct u.id, p_groups[u.request] collate "C" as consumer_group
      from unnest(v_requests, v_ids) as u (request, id)
      where p_partitions[u.request] is not null and u.id is not null
      order by 1, 2
      offset 0
    ) w
    left join lateral (
      select c.committed from queen.cursors c
      where c.shard = p_shard and c.partition_id = w.id and c.consumer_group = w.consumer_group
      for no key update
    ) c on true;
    v_opened := v_opened or v_named = v_size and cardinality(p_candidate_ids) = 0;
  end if;

  -- The usual pop: one request, one candidate, something to give, and a cursor without a history. One statement.
  if p_simple and cardinality(v_ids) = 1 and not p_auto_acks[1] then
    return query
      with locked as materialized (
        select c.ctid as row_id, q.name as queue, p.name as partition, p.next_offset, p.largest::bigint as largest,
               greatest(c.committed, p.first_offset) as low,
               least(greatest(c.committed, p.first_offset) + p_batches[1], p.next_offset) as high,
               case when not p_auto_acks[1] then
                 clock_timestamp() + make_interval(secs => case when q.lease_time = 0 then 60 else q.lease_time end)
               end as expires,
               case when not p_auto_acks[1] then
                 (left(c.partition_id::text, 13) || '-8' || substr(gen_random_uuid()::text, 16))::uuid
               end as new_lease_id,
               case when q.encryption_enabled then q.sealed_since end as sealed_since, q.bound_since
        from queen.cursors c
        join queen.partitions p on p.shard = p_shard and p.id = v_ids[1]
        join queen.queues q on q.id = p.queue_id
        where c.shard = p_shard and c.partition_id = v_ids[1] and c.consumer_group = p_groups[1]
          and c.lease_id is null and c.batch_cap is null and isempty(c.acked) and c.redeliveries is null
          and (q.pauses is null or not q.pauses ?| array['', p_groups[1]])
          and (c.not_before is null or c.not_before <= clock_timestamp())
          and c.lone_offset is distinct from greatest(c.committed, p.first_offset)
          and greatest(c.committed, p.first_offset) < p.next_offset
          and q.delayed_processing = 0 and q.window_buffer = 0
          and (q.ttl is null or q.ttl = 0 or coalesce((
            select s.created_at
            from queen.segments s
            where s.shard = p_shard and s.partition_id = v_ids[1]
              and s.base_offset <= greatest(c.committed, p.first_offset)
            order by s.base_offset desc
            limit 1) > clock_timestamp() - make_interval(secs => q.ttl), false))
        for no key update of c skip locked
      ), granted as (
        -- A row that has changed since the snapshot is not found by this ctid: then nothing is granted here.
        update queen.cursors c
        set committed = case when l.new_lease_id is null then l.high else l.low end,
            lease_id = l.new_lease_id,
            lease_expires_at = l.expires,
            leased = case when l.new_lease_id is null then '{}' else int8multirange(int8range(l.low, l.high)) end,
            not_before = null,
            lone_offset = case when l.high - l.low = 1 and l.new_lease_id is not null then l.low else c.lone_offset end,
            lone_deliveries = case
              when l.high - l.low = 1 and l.new_lease_id is not null then 1 else c.lone_deliveries end,
            last_consumed_at = case when l.new_lease_id is null then clock_timestamp() else c.last_consumed_at end,
            leased_at = case when l.new_lease_id is null then c.leased_at else clock_timestamp() end,
            lease_holder = case when l.new_lease_id is null then c.lease_holder else p_holders[1] end
        from locked l
        where c.shard = p_shard and c.ctid = l.row_id
          and case
            when (l.largest + 512) * (l.high - l.low) <= p_bytes then true
            else queen.range_bytes_v1(p_shard, v_ids[1], l.low, l.high) <= p_bytes
          end
        returning l.*
      )
      select 1, 'messages', g.queue, g.partition, v_ids[1], g.expires, g.new_lease_id, g.next_offset - g.high,
             queen.payload_form_v1(s.encrypted, s.created_at, g.sealed_since, g.bound_since), s.created_at,
             greatest(s.base_offset, g.low),
             case when s.whole then s.message_ids else s.message_ids[s.low : s.high] end,
             case when s.whole then s.transaction_ids else s.transaction_ids[s.low : s.high] end,
             case when s.whole then s.payloads else s.payloads[s.low : s.high] end,
             case when s.whole then s.trace_ids else s.trace_ids[s.low : s.high] end,
             case when s.whole then s.producer_subs else s.producer_subs[s.low : s.high] end,
             null::bigint[]
      from granted g
      cross join lateral (
        select s.*, g.low <= s.base_offset and g.high >= s.base_offset + s.message_count as whole,
               (greatest(g.low - s.base_offset, 0) + 1)::integer as low,
               least(g.high - s.base_offset, s.message_count)::integer as high
        from queen.segments s
        where s.shard = p_shard and s.partition_id = v_ids[1]
          and s.base_offset >= coalesce((
            select b.base_offset
            from queen.segments b
            where b.shard = p_shard and b.partition_id = v_ids[1] and b.base_offset <= g.low
            order by b.base_offset desc
            limit 1), g.low)
          and s.base_offset < g.high
          and s.base_offset + s.message_count > g.low
        order by s.base_offset
        offset 0
      ) s;
    if found then
      return;
    end if;
  -- Several simple requests: all at once, if none of the cursors has a history, all of them exist, and each request
  -- gets all that its candidates have; else from the start, one by one.
  elsif p_simple then
    select array_agg(
             row(
               c.request, c.row_id, c.id, c.queue, c.partition, int8multirange(int8range(c.start, c.upper)),
               c.next_offset - c.upper, case when p_auto_acks[c.request] then c.upper else c.start end, '{}',
               case when c.granted > 1 and not p_auto_acks[c.request] then c.common_lease_id else c.new_lease_id end,
               c.expires, null, c.granted = 1 and c.upper - c.start = 1, c.lone_offset, c.lone_deliveries, null,
               c.sealed_since, c.bound_since)::queen.grant_v1
             order by c.n) filter (where c.state is null),
           array_agg(c.request order by c.n) filter (where c.state is not null),
           array_agg(c.id order by c.n) filter (where c.state is not null),
           array_agg(c.state order by c.n) filter (where c.state is not null),
           array_agg(c.due order by c.n) filter (where c.state is not null),
           bool_or(c.granted > 1 and not p_auto_acks[c.request]),
           count(*) = cardinality(v_ids),
           not bool_or(c.special) and bool_and(c.candidates = 1 or coalesce(c.total, 0) < p_batches[c.request])
             and coalesce(sum(c.bytes), 0) <= p_bytes
    into v_grants, n_request, n_id, n_state, n_due, v_several, v_opened, v_settled
    from (
      select u.request, u.id, u.n, c.*,
             case
               when c.state is not null then 0
               when (c.largest + 512) * (c.upper - c.start) <= p_bytes / cardinality(v_ids)
                 then (c.largest + 512) * (c.upper - c.start)
               else queen.range_bytes_v1(p_shard, u.id, c.start, c.upper)
             end as bytes,
             count(*) over (partition by u.request) as candidates,
             count(*) filter (where c.state is null) over (partition by u.request) as granted,
             sum(c.upper - c.start) filter (where c.state is null) over (partition by u.request) as total,
             first_value(c.random_id) over (partition by u.request) as common_lease_id
      from rows from (unnest(v_requests), unnest(v_ids)) with ordinality as u (request, id, n)
      cross join lateral (
        select c.ctid as row_id, c.lone_offset, c.lone_deliveries, p.name as partition, p.next_offset,
               p.largest::bigint as largest, q.name as queue,
               case when q.encryption_enabled then q.sealed_since end as sealed_since, q.bound_since,
               gen_random_uuid() as random_id,
               greatest(c.committed, p.first_offset) as start,
               least(greatest(c.committed, p.first_offset) + p_batches[u.request], p.next_offset) as upper,
               case
                 when q.pauses ?| array['', p_groups[u.request]] then 'stopped'
                 when c.lease_expires_at > clock_timestamp() then 'leased'
                 when c.not_before > clock_timestamp() then 'paused'
                 when greatest(c.committed, p.first_offset) >= p.next_offset then 'empty'
               end as state,
               case
                 when q.pauses ?| array['', p_groups[u.request]] then null
                 when c.lease_expires_at > clock_timestamp() then c.lease_expires_at
                 when c.not_before > clock_timestamp() then c.not_before
               end as due,
               case when not p_auto_acks[u.request] then
                 clock_timestamp() + make_interval(secs => case when q.lease_time = 0 then 60 else q.lease_time end)
               end as expires,
               case when not p_auto_acks[u.request] then
                 (left(c.partition_id::text, 13) || '-8' || substr(gen_random_uuid()::text, 16))::uuid
               end as new_lease_id,
               not coalesce(c.lease_expires_at > clock_timestamp(), false) and (
                 c.lease_id is not null or c.batch_cap is not null or not isempty(c.acked)
                 or c.redeliveries is not null or q.delayed_processing > 0 or q.window_buffer > 0
                 or (p_auto_acks[u.request] and queen.holds_sealed_v1(
                   p_shard, u.id, greatest(c.committed, p.first_offset),
                   greatest(c.committed, p.first_offset) + p_batches[u.request],
                   case when q.encryption_enabled then q.sealed_since end))
                 or (q.ttl > 0 and coalesce((
                   select s.created_at
                   from queen.segments s
                   where s.shard = p_shard and s.partition_id = u.id
                     and s.base_offset <= greatest(c.committed, p.first_offset)
                   order by s.base_offset desc
                   limit 1) <= clock_timestamp() - make_interval(secs => q.ttl), false))
                 or coalesce(c.lone_offset = greatest(c.committed, p.first_offset), false)) as special
        from queen.cursors c
        join queen.partitions p on p.shard = p_shard and p.id = u.id
        join queen.queues q on q.id = p.queue_id
        where c.shard = p_shard and c.partition_id = u.id and c.consumer_group = p_groups[u.request]
        for no key update of c skip locked
      ) c
    ) c;
    v_settled := v_opened and coalesce(v_settled, false);
    if not v_settled then
      v_several := null;
      v_grants := null;
      n_request := null;
      n_id := null;
      n_state := null;
      n_due := null;
    end if;
  end if;

  -- Candidates one by one.
  if not coalesce(v_settled, false) then
    if not v_opened and v_unopened is null and cardinality(v_ids) > 1 then
      -- Before anything is written: a pop that is given up must leave nothing behind. A single candidate is checked
      -- below.
      v_unopened := queen.unopened_v1(p_shard, p_groups, v_requests, v_ids);
    end if;
    for i in 1 .. case when v_unopened <> '{}' then 0 else cardinality(v_ids) end loop
      if v_requests[i] <> v_request then
        v_request := v_requests[i];
        v_group := p_groups[v_request];  -- once: a text array is walked from its start
        v_batch_left := p_batches[v_request];
        v_partitions_left := p_max_partitions[v_request];
        v_granted := 0;
      end if;
      continue when v_batch_left <= 0 or v_partitions_left <= 0;

      -- Its state. All that depends on the cursor is computed in the select list: if the row has changed since the
      -- snapshot, PostgreSQL looks at the new one after locking it and computes the list again, but not the joins.
      select c.ctid as row_id, c.committed, c.acked, c.lease_id, c.leased, c.batch_cap, c.lone_offset,
             c.lone_deliveries, c.redeliveries, p.name as partition, p.next_offset, p.largest::bigint as largest,
             q.name as queue, q.retry_limit, q.delayed_processing, q.ttl, q.dead_letter_queue,
             case when q.encryption_enabled then q.sealed_since end as sealed_since, q.bound_since,
             clock_timestamp() as now, greatest(c.committed, p.first_offset) as start,
             case
               when q.pauses ?| array['', v_group] then 'stopped'
               when c.lease_expires_at > clock_timestamp() then 'leased'
               when c.not_before > clock_timestamp() then 'paused'
               when greatest(c.committed, p.first_offset) >= p.next_offset then 'empty'
               when q.window_buffer > 0
                 and p.last_append_at + make_interval(secs => q.window_buffer) > clock_timestamp() then 'window'
             end as state,
             case
               when q.pauses ?| array['', v_group] then null
               when c.lease_expires_at > clock_timestamp() then c.lease_expires_at
               when c.not_before > clock_timestamp() then c.not_before
               when greatest(c.committed, p.first_offset) < p.next_offset and q.window_buffer > 0
                 then p.last_append_at + make_interval(secs => q.window_buffer)
             end as due,
             case when not p_auto_acks[v_request] or queen.holds_sealed_v1(
                 p_shard, v_ids[i], greatest(c.committed, p.first_offset),
                 greatest(c.committed, p.first_offset) + v_batch_left + queen.multirange_size_v1(c.acked),
                 case when q.encryption_enabled then q.sealed_since end) then
               clock_timestamp() + make_interval(secs => case when q.lease_time = 0 then 60 else q.lease_time end)
             end as expires,
             -- A lease over one partition carries the partition in its first 48 bits, so that it is found by its id
             -- alone; one over several has a row that lists them. The version digit (8 or 4) tells which.
             case when not p_auto_acks[v_request] or queen.holds_sealed_v1(
                 p_shard, v_ids[i], greatest(c.committed, p.first_offset),
                 greatest(c.committed, p.first_offset) + v_batch_left + queen.multirange_size_v1(c.acked),
                 case when q.encryption_enabled then q.sealed_since end) then
               (left(c.partition_id::text, 13) || '-8' || substr(gen_random_uuid()::text, 16))::uuid
             end as new_lease_id,
             q.ttl > 0 and coalesce((
               select s.created_at
               from queen.segments s
               where s.shard = p_shard and s.partition_id = v_ids[i]
                 and s.base_offset <= greatest(c.committed, p.first_offset)
               order by s.base_offset desc
               limit 1) <= clock_timestamp() - make_interval(secs => q.ttl), false) as expired,
             c.lease_id is not null or c.batch_cap is not null or q.delayed_processing > 0 or not isempty(c.acked)
               or c.redeliveries is not null
               or coalesce(c.lone_offset = greatest(c.committed, p.first_offset), false) as special
      into v_c
      from queen.cursors c
      join queen.partitions p on p.shard = p_shard and p.id = v_ids[i]
      join queen.queues q on q.id = p.queue_id
      where c.shard = p_shard and c.partition_id = v_ids[i] and c.consumer_group = v_group
      for no key update of c skip locked;

      if not found then
        if not exists (select from queen.partitions p where p.shard = p_shard and p.id = v_ids[i]) then
          v_c.state := 'missing';
        elsif cardinality(v_ids) = 1 and not exists (
          select from queen.cursors c
          where c.shard = p_shard and c.partition_id = v_ids[i] and c.consumer_group = v_group
        ) then
          v_unopened := array[1];
          exit;
        else
          v_c.state := 'busy';  -- or its cursor was just deleted: the next pop has it made
        end if;
      end if;

      -- Where it starts and ends: behind what is done or has expired, before what is delayed.
      v_end := v_c.next_offset;
      v_rest := false;
      if v_c.special and v_c.start <@ v_c.acked then
        -- Retention has removed everything up to a message that was done out of order.
        v_c.start := (select upper(r.r) from unnest(v_c.acked) as r (r) where v_c.start <@ r.r);
        if v_c.start >= v_end and (v_c.state is null or v_c.state = 'window') then
          v_c.state := 'empty';
          v_c.due := null;
        end if;
      end if;
      if v_c.row_id = any (v_rows) then
        v_c.state := 'leased';
        v_c.due := null;
      elsif v_c.state is null and (v_c.special or v_c.expired) then
        if v_c.expired then
          v_upper := v_c.start;
          select e.o_start, e.o_rest into v_c.start, v_rest
          from queen.skip_expired_v1(
            p_shard, v_ids[i], v_group, v_c.start, v_end, v_c.acked, v_c.ttl,
            coalesce(v_c.dead_letter_queue, false), v_c.now) e;
          v_c.expired := v_c.start > v_upper;
          v_c.special := v_c.special or v_c.expired;
          if v_rest then
            v_end := v_c.start;
          end if;
        end if;
        if v_c.delayed_processing > 0 and v_c.start < v_end then
          v_end := queen.offset_after_v1(
            p_shard, v_ids[i], v_c.start, v_end, v_c.now - make_interval(secs => v_c.delayed_processing));
          if v_end <= v_c.start and not v_c.expired then
            v_c.state := 'delayed';
            v_c.due := (
              select s.created_at + make_interval(secs => v_c.delayed_processing)
              from queen.segments s
              where s.shard = p_shard and s.partition_id = v_ids[i] and s.base_offset <= v_c.start
              order by s.base_offset desc
              limit 1);
          end if;
        end if;
        if v_c.state is null and v_c.lease_id is not null then
          v_size := queen.multirange_size_v1(
            v_c.leased - v_c.acked - int8multirange(int8range(null, v_c.start)));
          if v_size > 0 then
            v_c.batch_cap := greatest(1, v_size / 2);
          end if;
        end if;
        if v_c.state is null and v_c.batch_cap = 1 and v_granted > 0 and v_c.start < v_end then
          if v_c.expired then
            v_rest := true;  -- the cursor is to be moved all the same
            v_end := v_c.start;
          else
            v_c.state := 'alone';
            v_c.due := null;  -- that of a window long over
          end if;
        end if;
      end if;
      if v_c.state is not null then
        n_request := n_request || v_request;
        n_id := n_id || v_ids[i];
        n_state := n_state || v_c.state;
        n_due := n_due || v_c.due;
        continue;
      end if;

      -- The room in the answer. Of a partition with a history it is taken as if none of its messages were done.
      v_upper := least(v_c.start + least(v_batch_left, v_c.batch_cap)
        + case when v_c.special then queen.multirange_size_v1(v_c.acked) else 0 end, v_end);
      if (v_c.largest + 512) * (v_upper - v_c.start) <= v_bytes_left then
        v_bytes_left := v_bytes_left - (v_c.largest + 512) * (v_upper - v_c.start);
      else
        select f.o_high, f.o_bytes, f.o_first, f.o_all into v_fit
        from queen.fitting_v1(p_shard, v_ids[i], v_c.start, v_upper, v_bytes_left) f;
        if v_fit.o_high < v_upper then
          v_batch_left := case
            when v_granted = 0 and not p_cut or v_fit.o_high <= v_c.start then 0 else v_batch_left end;
          if v_batch_left = 0 and not v_c.expired then
            if v_granted = 0 then
              l_request := l_request || v_request;
              l_id := l_id || v_ids[i];
              l_all := l_all || v_fit.o_all;
              l_first := l_first || v_fit.o_first;
            end if;
            continue;
          elsif v_batch_left = 0 then
            v_rest := true;  -- the cursor is to be moved all the same, behind what has expired
            v_end := v_c.start;
          else
            v_end := v_fit.o_high;
          end if;
        end if;
        v_bytes_left := v_bytes_left - v_fit.o_bytes;
      end if;

      -- The grant.
      if not v_c.special then
        v_upper := least(v_c.start + v_batch_left, v_end);
        v_size := v_upper - v_c.start;
        v_grants := v_grants || row(
          v_request, v_c.row_id, v_ids[i], v_c.queue, v_c.partition,
          int8multirange(int8range(v_c.start, v_upper)), v_c.next_offset - v_upper,
          case when v_c.expires is null then v_upper else v_c.start end, '{}'::int8multirange,
          v_c.new_lease_id, v_c.expires, null, v_size = 1 and v_granted = 0,
          v_c.lone_offset, v_c.lone_deliveries, null, v_c.sealed_since, v_c.bound_since)::queen.grant_v1;
      else
        v_c.redeliveries := queen.redeliveries_v1(
          v_c.redeliveries, case when v_c.lease_id is not null then upper(v_c.leased) end, v_c.start);
        v_grants := v_grants || queen.grant_after_failures_v1(
          p_shard, v_ids[i], v_group, v_c.start, v_end, v_c.acked, v_batch_left, v_c.batch_cap,
          v_c.lone_offset, v_c.lone_deliveries, v_c.retry_limit, v_c.now, v_c.expires is null,
          row(v_request, v_c.row_id, v_ids[i], v_c.queue, v_c.partition, null, v_c.next_offset, null, null,
              v_c.new_lease_id, v_c.expires, v_c.batch_cap, v_granted = 0, null, null, v_c.redeliveries,
              v_c.sealed_since, v_c.bound_since)::queen.grant_v1);
        v_size := queen.multirange_size_v1(v_grants[cardinality(v_grants)].ranges);
        if v_size = 0 then
          v_rows := v_rows || v_c.row_id;
          n_request := n_request || v_request;
          n_id := n_id || v_ids[i];
          -- One became a dead letter or some have expired, and none is left, or none that is due.
          v_upper := v_grants[cardinality(v_grants)].committed;
          n_state := n_state
            || case when v_rest then 'busy' when v_upper < v_c.next_offset then 'delayed' else 'empty' end;
          n_due := n_due || (
            select s.created_at + make_interval(secs => v_c.delayed_processing)
            from queen.segments s
            where v_upper < v_c.next_offset and not v_rest and s.shard = p_shard and s.partition_id = v_ids[i]
              and s.base_offset <= v_upper
            order by s.base_offset desc
            limit 1);
          continue;
        end if;
      end if;
      v_rows := v_rows || v_c.row_id;
      v_batch_left := v_batch_left - v_size;
      v_partitions_left := case when v_c.batch_cap = 1 then 0 else v_partitions_left - 1 end;
      v_granted := v_granted + 1;
      if v_granted = 1 then
        v_first := cardinality(v_grants);
      elsif not p_auto_acks[v_request] then
        if v_granted = 2 then
          v_several := true;
          v_grants[v_first].lease_id := gen_random_uuid();
          v_grants[v_first].alone := false;
        end if;
        v_grants[cardinality(v_grants)].lease_id := v_grants[v_first].lease_id;
      end if;
    end loop;
    if v_unopened <> '{}' then
      return query
        select v_requests[c.n], 'contact', null::text, null::text, null::uuid, null::timestamptz, null::uuid,
               null::bigint, null::smallint, null::timestamptz, c.n::bigint, null::uuid[], null::text[], null::text[],
               null::uuid[], null::text[], null::bigint[]
        from unnest(v_unopened) as c (n);
      return;
    end if;
  end if;

  -- What was granted is written, and read.
  if v_grants is not null then
    if v_several then
      insert into queen.leases (shard, lease_id, consumer_group, partition_ids, created_at)
      select p_shard, g.lease_id, p_groups[g.request], array_agg(g.partition_id), clock_timestamp()
      from unnest(v_grants) as g
      where g.lease_id is not null and not isempty(g.ranges)
      group by g.request, g.lease_id
      having count(*) > 1;
    end if;

    update queen.cursors c
    set committed = g.committed,
        acked = g.acked,
        lease_id = g.lease_id,
        lease_expires_at = g.expires_at,
        leased = case when g.lease_id is null then '{}' else g.ranges end,
        not_before = null,
        batch_cap = g.batch_cap,
        lone_offset = case when g.alone and g.lease_id is not null then lower(g.ranges) else g.lone_offset end,
        lone_deliveries = case
          when not g.alone or g.lease_id is null then g.lone_deliveries
          when lower(g.ranges) = g.lone_offset then g.lone_deliveries + 1
          else 1
        end,
        last_consumed_at = case
          when g.lease_id is null and not isempty(g.ranges) then clock_timestamp()
          else c.last_consumed_at
        end,
        redeliveries = g.redeliveries,
        leased_at = case when g.lease_id is null then c.leased_at else clock_timestamp() end,
        lease_holder = case when g.lease_id is null then c.lease_holder else p_holders[g.request] end
    from unnest(v_grants) as g
    where c.shard = p_shard and c.ctid = g.row_id;
    get diagnostics v_granted = row_count;
    if true = any (p_auto_acks) then
      insert into queen.auto_pops (shard, pop_id, expires_at, consumer_group, partition_ids, ranges)
      select p_shard, p_pop_ids[g.request], clock_timestamp() + interval '10 minutes', p_groups[g.request],
             array_agg(g.partition_id), array_agg(g.ranges)
      from unnest(v_grants) as g
      where p_pop_ids[g.request] is not null and g.lease_id is null and not isempty(g.ranges)
      group by g.request;
    end if;
    if v_granted <> cardinality(v_grants) then
      raise exception 'wrote % of % cursors', v_granted, cardinality(v_grants)
        using errcode = 'serialization_failure';
    end if;

    return query
      select g.request, 'messages', g.queue, g.partition, g.partition_id, g.expires_at, g.lease_id, g.backlog,
             queen.payload_form_v1(s.encrypted, s.created_at, g.sealed_since, g.bound_since), s.created_at,
             p.from_offset,
             case when p.whole then s.message_ids else s.message_ids[p.low : p.high] end,
             case when p.whole then s.transaction_ids else s.transaction_ids[p.low : p.high] end,
             case when p.whole then s.payloads else s.payloads[p.low : p.high] end,
             case when p.whole then s.trace_ids else s.trace_ids[p.low : p.high] end,
             case when p.whole then s.producer_subs else s.producer_subs[p.low : p.high] end,
             g.redeliveries
      from unnest(v_grants) as g
      cross join lateral (
        select lower(r.r) as low, upper(r.r) as high from unnest(g.ranges) as r (r)
      ) r
      cross join lateral (
        select s.*
        from queen.segments s
        where s.shard = p_shard and s.partition_id = g.partition_id
          and s.base_offset >= coalesce((
            select b.base_offset
            from queen.segments b
            where b.shard = p_shard and b.partition_id = g.partition_id and b.base_offset <= r.low
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
        offset 0
      ) p;
  end if;

  -- Why other candidates gave nothing.
  if n_request is not null then
    return query
      select n.request, n.state, null::text, null::text, n.id, n.due, null::uuid, null::bigint, null::smallint,
             null::timestamptz, null::bigint, null::uuid[], null::text[], null::text[], null::uuid[], null::text[],
             null::bigint[]
      from unnest(n_request, n_state, n_id, n_due) as n (request, state, id, due);
  end if;

  if l_request is not null then
    return query
      select l.request, 'large', null::text, null::text, l.id, clock_timestamp(), null::uuid, l.first, null::smallint,
             null::timestamptz, l.whole, null::uuid[], null::text[], null::text[], null::uuid[], null::text[],
             null::bigint[]
      from unnest(l_request, l_id, l_first, l_all) as l (request, id, first, whole);
  end if;
end
$$;
