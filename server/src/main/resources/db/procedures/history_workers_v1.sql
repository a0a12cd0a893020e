-- revision: 2
-- What event loops did, in buckets: see history_queues_v1. Of all brokers, or those on a host, or the event loops of a
-- number.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.history_workers_v1(
  p_from timestamptz,
  p_to timestamptz,
  p_minutes integer,
  p_hostname text,
  p_worker integer
) returns table (
  bucket timestamptz,
  push_requests bigint,
  pop_requests bigint,
  ack_requests bigint,
  transactions bigint,
  push_messages bigint,
  pop_messages bigint,
  ack_success bigint,
  ack_failed bigint,
  dead_letters bigint,
  db_errors bigint,
  jobs_done bigint,
  lag_count bigint,
  lag_sum_ms bigint,
  lag_max_ms bigint,
  samples bigint,
  loop_delay_sum double precision,
  loop_delay_max double precision,
  free_slots_sum bigint,
  free_slots_min bigint,
  job_queue_sum bigint,
  job_queue_max bigint,
  db_connections bigint,
  backoff_size bigint
)
language sql
stable
as $$
  select date_bin(make_interval(mins => p_minutes), m.minute, '2000-01-01T00:00:00Z'), sum(m.push_requests)::bigint,
         sum(m.pop_requests)::bigint, sum(m.ack_requests)::bigint, sum(m.transactions)::bigint,
         sum(m.push_messages)::bigint, sum(m.pop_messages)::bigint, sum(m.ack_success)::bigint,
         sum(m.ack_failed)::bigint, sum(m.dead_letters)::bigint, sum(m.db_errors)::bigint, sum(m.jobs_done)::bigint,
         sum(m.lag_count)::bigint, sum(m.lag_sum_ms)::bigint, max(m.lag_max_ms), sum(m.samples)::bigint,
         sum(m.loop_delay_sum), max(m.loop_delay_max), sum(m.free_slots_sum)::bigint, min(m.free_slots_min),
         sum(m.job_queue_sum)::bigint, max(m.job_queue_max), max(m.db_connections), max(m.backoff_size)
  from (
    select m.minute, sum(m.push_requests) as push_requests, sum(m.pop_requests) as pop_requests,
           sum(m.ack_requests) as ack_requests, sum(m.transactions) as transactions,
           sum(m.push_messages) as push_messages, sum(m.pop_messages) as pop_messages,
           sum(m.ack_success) as ack_success, sum(m.ack_failed) as ack_failed, sum(m.dead_letters) as dead_letters,
           sum(m.db_errors) as db_errors, sum(m.jobs_done) as jobs_done, sum(m.lag_count) as lag_count,
           sum(m.lag_sum_ms) as lag_sum_ms, max(m.lag_max_ms) as lag_max_ms, sum(m.samples) as samples,
           sum(m.loop_delay_sum) as loop_delay_sum, max(m.loop_delay_max) as loop_delay_max,
           sum(m.free_slots_sum) as free_slots_sum, min(m.free_slots_min) as free_slots_min,
           sum(m.job_queue_sum) as job_queue_sum, max(m.job_queue_max) as job_queue_max,
           sum(m.db_connections) as db_connections, sum(m.backoff_size) as backoff_size
    from queen.minute_workers m
    where m.minute >= date_trunc('minute', p_from) and m.minute < p_to
      and (p_worker is null or m.worker = p_worker)
      and (p_hostname is null or exists (select from queen.brokers b where b.id = m.broker and b.hostname = p_hostname))
    group by m.minute
  ) m
  group by 1
  order by 1
$$;
