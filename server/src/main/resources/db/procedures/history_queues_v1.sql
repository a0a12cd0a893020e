-- revision: 2
-- What was done with queues in the minutes from p_from until before p_to, in buckets of p_minutes that start at a
-- multiple of them since midnight UTC, and only where there was something. Of one queue, or of those with a namespace
-- or a task (null: any); p_split: by queue. parked: the most polls that waited at the same time. Partitions that
-- operators or upkeep deleted are recorded apart from what brokers count: upkeep_removed.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.history_queues_v1(
  p_from timestamptz,
  p_to timestamptz,
  p_minutes integer,
  p_queue text,
  p_namespace text,
  p_task text,
  p_split boolean
) returns table (
  bucket timestamptz,
  queue text,
  push_requests bigint,
  push_messages bigint,
  pop_requests bigint,
  pop_messages bigint,
  pop_empty bigint,
  ack_requests bigint,
  ack_success bigint,
  ack_failed bigint,
  auto_acked bigint,
  transactions bigint,
  dead_letters bigint,
  partitions_created bigint,
  partitions_deleted bigint,
  parked bigint,
  lag_count bigint,
  lag_sum_ms bigint,
  lag_max_ms bigint
)
language sql
stable
as $$
  select date_bin(make_interval(mins => p_minutes), m.minute, '2000-01-01T00:00:00Z'), m.queue,
         sum(m.push_requests)::bigint, sum(m.push_messages)::bigint, sum(m.pop_requests)::bigint,
         sum(m.pop_messages)::bigint, sum(m.pop_empty)::bigint, sum(m.ack_requests)::bigint, sum(m.ack_success)::bigint,
         sum(m.ack_failed)::bigint, sum(m.auto_acked)::bigint, sum(m.transactions)::bigint, sum(m.dead_letters)::bigint,
         sum(m.partitions_created)::bigint, sum(m.partitions_deleted)::bigint, max(m.parked)::bigint,
         sum(m.lag_count)::bigint, sum(m.lag_sum_ms)::bigint, max(m.lag_max_ms)
  from (
    select m.minute, case when p_split then m.queue end as queue, sum(m.push_requests) as push_requests,
           sum(m.push_messages) as push_messages, sum(m.pop_requests) as pop_requests,
           sum(m.pop_messages) as pop_messages, sum(m.pop_empty) as pop_empty, sum(m.ack_requests) as ack_requests,
           sum(m.ack_success) as ack_success, sum(m.ack_failed) as ack_failed, sum(m.auto_acked) as auto_acked,
           sum(m.transactions) as transactions, sum(m.dead_letters) as dead_letters,
           sum(m.partitions_created) as partitions_created, sum(m.partitions_deleted) as partitions_deleted,
           sum(m.parked) as parked, sum(m.lag_count) as lag_count, sum(m.lag_sum_ms) as lag_sum_ms,
           max(m.lag_max_ms) as lag_max_ms
    from (
      select m.minute, m.queue, m.push_requests, m.push_messages, m.pop_requests, m.pop_messages, m.pop_empty,
             m.ack_requests, m.ack_success, m.ack_failed, m.auto_acked, m.transactions, m.dead_letters,
             m.partitions_created, 0 as partitions_deleted, m.parked, m.lag_count, m.lag_sum_ms, m.lag_max_ms
      from queen.minute_queues m
      where m.minute >= date_trunc('minute', p_from) and m.minute < p_to
      union all
      select r.bucket, r.queue, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, r.removed, 0, 0, 0, 0
      from queen.upkeep_removed r
      where r.bucket >= date_trunc('minute', p_from) and r.bucket < p_to and r.rule = 'partitions'
    ) m
    where (p_queue is null or m.queue = p_queue)
      and (coalesce(p_namespace, p_task) is null or exists (
        select from queen.queues q
        where q.name = m.queue and (p_namespace is null or q.namespace = p_namespace)
          and (p_task is null or q.task = p_task)))
    group by m.minute, 2
  ) m
  group by 1, m.queue
  order by 1, m.queue
$$;
