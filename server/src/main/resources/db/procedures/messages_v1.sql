-- revision: 2
-- A page of messages, the newest first: of a queue, a partition, a namespace or a task, created from p_from (an hour
-- ago) to the end of the minute of p_to (now), in one state or any. Deleted ones are left out.
--
-- What it costs. At most v_most partitions are looked at, those that were written to last; of each the segments are
-- walked from the end, v_headers of them in all; of these the newest are opened, until the page is full, or for a
-- p_status v_examined messages. Where that was not enough, o_truncated says so: then what is shown is right, but older
-- messages that match may be missing. The number of messages stored makes no difference.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.messages_v1(
  p_shard smallint,
  p_queue text,
  p_partition text,
  p_namespace text,
  p_task text,
  p_status text,
  p_from timestamptz,
  p_to timestamptz,
  p_limit integer,
  p_offset integer,
  out o_messages jsonb,
  out o_queue_mode boolean,
  out o_groups integer,
  out o_truncated boolean
)
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_custom_plan  -- the filters decide
set jit = off
as $$
declare
  v_most constant integer := 1000;
  v_headers constant integer := case when p_status is null then 200000 else 20000 end;
  v_examined constant bigint := 10000;
  v_now constant timestamptz := clock_timestamp();
  v_from constant timestamptz := coalesce(p_from, v_now - interval '1 hour');
  v_until constant timestamptz := date_trunc('minute', coalesce(p_to, v_now)) + interval '1 minute';
  v_wanted bigint := p_limit::bigint + p_offset;
  v_ids uuid[];
  v_highs bigint[];
  v_each integer;
  v_deleted bigint;
  v_before bigint;
  v_floor timestamptz;
  v_m_ids uuid[];
  v_m_bases bigint[];
begin
  select array_agg(w.id), array_agg(w.high), count(*) = v_most
  into v_ids, v_highs, o_truncated
  from (
    select p.id, case
             when p.last_append_at < v_until then p.next_offset
             else queen.offset_after_v1(
               p_shard, p.id, p.first_offset, p.next_offset, v_until - interval '1 microsecond')
           end as high
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    where p.shard = p_shard and p.first_offset < p.next_offset and p.last_append_at >= v_from and p.created_at < v_until
      and (p_queue is null or q.name = p_queue)
      and (p_partition is null or p.name = p_partition)
      and (p_namespace is null or q.namespace = p_namespace)
      and (p_task is null or q.task = p_task)
    order by p.last_append_at desc, p.id
    limit v_most
  ) w;
  -- The newest n messages are in the n partitions written to last, if none of these is cut off by the end of the
  -- window.
  o_truncated := o_truncated and not (p_status is null and v_until > v_now and v_wanted <= v_most);
  if p_status is null and v_until > v_now and v_wanted < cardinality(v_ids) then
    v_ids := v_ids[1 : v_wanted::integer];
    v_highs := v_highs[1 : v_wanted::integer];
  end if;

  o_messages := '[]';
  o_queue_mode := false;
  o_groups := 0;
  if v_ids is null then
    o_truncated := false;
    return;
  end if;
  select coalesce(bool_or(g.consumer_group = '__QUEUE_MODE__'), false),
         count(distinct g.consumer_group) filter (where g.consumer_group <> '__QUEUE_MODE__')
  into o_queue_mode, o_groups
  from queen.message_groups_v1(
    p_shard, v_ids, array_fill(0::bigint, array[cardinality(v_ids)]), array_fill(v_now, array[cardinality(v_ids)])) g;

  v_deleted := (
    select count(*)
    from (
      select from queen.hidden h
      where h.shard = p_shard and h.partition_id = any (v_ids) and h.only_group is null
      limit v_examined
    ) h);
  v_wanted := case when p_status is null then v_wanted else v_examined end + v_deleted;
  -- Segments that hold only earlier pages need not be opened, if it is certain what they hold.
  v_before := case when p_status is null and v_deleted = 0 then p_offset else 0 end;
  v_each := greatest(v_headers / cardinality(v_ids), 1);
  with headers as materialized (
    select u.id, s.base_offset, s.message_count, s.created_at, count(*) over (partition by u.id) = v_each as cut
    from unnest(v_ids, v_highs) as u (id, high)
    cross join lateral (
      select s.base_offset, s.message_count, s.created_at
      from queen.segments s
      where s.shard = p_shard and s.partition_id = u.id and s.base_offset < u.high
      order by s.base_offset desc
      limit v_each
    ) s
  ), floor as (
    -- Older than this, some partition was not walked.
    select max(c.oldest) as at
    from (select min(h.created_at) as oldest from headers h where h.cut group by h.id) c
    where c.oldest >= v_from
  ), counted as (
    select h.id, h.base_offset, h.message_count, h.created_at, f.at as floor,
           sum(h.message_count) over (order by h.created_at desc, h.id, h.base_offset desc) as upto
    from headers h
    cross join floor f
    where h.created_at >= greatest(v_from, f.at)
  )
  select array_agg(c.id) filter (where c.upto > v_before and c.upto - c.message_count < v_wanted),
         array_agg(c.base_offset) filter (where c.upto > v_before and c.upto - c.message_count < v_wanted),
         coalesce(min(c.upto - c.message_count) filter (where c.upto > v_before), 0),
         o_truncated or coalesce(bool_or(c.floor is not null) and max(c.upto) < v_wanted, false)
           or (p_status is not null and coalesce(max(c.upto) > v_wanted, false))
  into v_m_ids, v_m_bases, v_before, o_truncated
  from counted c;
  if v_m_ids is null then
    return;
  end if;

  with opened as materialized (
    select v_before + row_number() over (order by s.created_at desc, s.partition_id, s.base_offset + m.n desc) as place,
           s.partition_id, s.base_offset + m.n - 1 as o, s.created_at, m.message_id, m.transaction_id,
           s.trace_ids[m.n] as trace_id, s.producer_subs[m.n] as producer_sub
    from unnest(v_m_ids, v_m_bases) as u (id, base_offset)
    cross join lateral (
      select s.*
      from queen.segments s
      where s.shard = p_shard and s.partition_id = u.id and s.base_offset = u.base_offset
      offset 0
    ) s
    cross join lateral rows from (unnest(s.message_ids), unnest(s.transaction_ids))
      with ordinality as m (message_id, transaction_id, n)
    where m.transaction_id is not null
  ), looked_at as materialized (
    select o.*, row_number() over (order by o.place) as n
    from opened o
    where p_status is not null or (o.place > p_offset and o.place <= p_offset + p_limit)
  ), arguments as (
    select array_agg(l.partition_id order by l.n) as ids, array_agg(l.o order by l.n) as offsets,
           array_agg(l.created_at order by l.n) as moments
    from looked_at l
  ), seen as (
    select g.n, coalesce(bool_or(g.consumer_group = '__QUEUE_MODE__'), false) as queue_mode,
           coalesce(bool_or(g.done) filter (where g.consumer_group = '__QUEUE_MODE__'), false) as queue_done,
           max(g.leased_until) filter (where g.consumer_group = '__QUEUE_MODE__') as leased_until,
           count(*) filter (where g.consumer_group <> '__QUEUE_MODE__') as groups,
           count(*) filter (where g.consumer_group <> '__QUEUE_MODE__' and g.done) as consumed
    from arguments a
    cross join lateral queen.message_groups_v1(p_shard, a.ids, a.offsets, a.moments) g
    group by g.n
  ), dead as (
    select d.partition_id, d.message_offset, bool_or(d.consumer_group = '__QUEUE_MODE__') as queue_dead
    from queen.dead_letters d
    where d.shard = p_shard and d.partition_id = any (v_m_ids)
    group by d.partition_id, d.message_offset
  ), rated as (
    select l.*, s.leased_until, coalesce(s.groups, 0) as groups, coalesce(s.consumed, 0) as consumed, q.queue_status,
           case
             when d.partition_id is not null then 'dead_letter'
             when coalesce(s.groups, 0) > 0 and not s.queue_mode
               then case when s.consumed = s.groups then 'completed' else 'pending' end
             else q.queue_status
           end as status
    from looked_at l
    left join seen s on s.n = l.n
    left join dead d on d.partition_id = l.partition_id and d.message_offset = l.o
    cross join lateral (
      select case
        when d.queue_dead then 'dead_letter'
        when s.queue_done then 'completed'
        when s.leased_until is not null then 'processing'
        else 'pending'
      end as queue_status
    ) q
  ), paged as (
    select j.*
    from rated j
    where p_status is null or j.status = p_status
    order by j.place
    limit p_limit
    offset case when p_status is null then 0 else p_offset end
  )
  select coalesce(jsonb_agg(jsonb_build_object(
           'id', m.message_id, 'transactionId', m.transaction_id, 'partitionId', m.partition_id,
           'queue', q.name, 'partition', p.name, 'queuePath', q.name || '/' || p.name,
           'namespace', q.namespace, 'task', q.task, 'queuePriority', q.priority,
           'status', m.status, 'queueStatus', m.queue_status,
           'busStatus', jsonb_build_object('consumedBy', m.consumed, 'totalGroups', m.groups),
           'traceId', m.trace_id, 'producerSub', m.producer_sub,
           'createdAt', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'leaseExpiresAt', to_char(m.leased_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
           order by m.place), '[]')
  into o_messages
  from paged m
  join queen.partitions p on p.shard = p_shard and p.id = m.partition_id
  join queen.queues q on q.id = p.queue_id;
end
$$;
