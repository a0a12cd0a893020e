-- revision: 2
-- The event loops of all brokers as recorded in the minutes of the last p_seconds, and how long ago the newest of them
-- ended, in seconds. p_last: only the newest minute of each.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.recent_workers_v1(p_seconds integer, p_last boolean)
returns table (
  hostname text,
  name text,
  worker integer,
  pid bigint,
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
  db_connections integer,
  backoff_size integer,
  age double precision,
  last_seen timestamptz
)
language sql
stable
as $$
  select b.hostname, b.name, m.worker, b.pid, sum(m.push_requests)::bigint, sum(m.pop_requests)::bigint,
         sum(m.ack_requests)::bigint, sum(m.transactions)::bigint, sum(m.push_messages)::bigint,
         sum(m.pop_messages)::bigint, sum(m.ack_success)::bigint, sum(m.ack_failed)::bigint,
         sum(m.dead_letters)::bigint, sum(m.db_errors)::bigint, sum(m.jobs_done)::bigint, sum(m.lag_count)::bigint,
         sum(m.lag_sum_ms)::bigint, max(m.lag_max_ms), sum(m.samples)::bigint, sum(m.loop_delay_sum),
         max(m.loop_delay_max), sum(m.free_slots_sum)::bigint, min(m.free_slots_min), sum(m.job_queue_sum)::bigint,
         max(m.job_queue_max), (array_agg(m.db_connections order by m.minute desc))[1],
         (array_agg(m.backoff_size order by m.minute desc))[1],
         greatest(extract(epoch from clock_timestamp() - (max(m.minute) + interval '1 minute')), 0)::double precision,
         max(b.last_seen_at)
  from queen.minute_workers m
  join queen.brokers b on b.id = m.broker
  where m.minute >= date_trunc('minute', clock_timestamp() - make_interval(secs => p_seconds))
    and (not p_last or m.minute = (
      select max(n.minute)
      from queen.minute_workers n
      where n.broker = m.broker
        and n.minute >= date_trunc('minute', clock_timestamp() - make_interval(secs => p_seconds))))
  group by b.id, b.hostname, b.name, b.pid, m.worker
  order by b.hostname, b.name, b.pid, m.worker
$$;
