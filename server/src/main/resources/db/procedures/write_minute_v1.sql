-- revision: 2
-- Records what a broker has done in a minute, and since it started. May be called again for the same minute, with the
-- same or more. p_queue_counts has 16 numbers for each of p_queues, and p_worker_counts 21 for each of p_workers with
-- p_worker_delays 2; they are in the order of the columns. p_totals: likewise, of queen.brokers.
--
-- Called by: the broker.
-- Locks: the broker's own rows.
create or replace function queen.write_minute_v1(
  p_minute timestamptz,
  p_broker uuid,
  p_hostname text,
  p_port integer,
  p_name text,
  p_pid bigint,
  p_totals bigint[],
  p_queues text[],
  p_queue_counts bigint[],
  p_workers integer,
  p_worker_counts bigint[],
  p_worker_delays double precision[],
  p_samples bigint,
  p_sums double precision[],
  p_lows double precision[],
  p_highs double precision[],
  p_last double precision[],
  p_shared_state jsonb
) returns void
language plpgsql
as $$
begin
  insert into queen.brokers as b (
    id, hostname, port, name, pid, last_seen_at, push_requests, pop_requests, ack_requests, transactions, push_messages,
    pop_messages, ack_success, ack_failed, dead_letters, db_errors)
  values (
    p_broker, p_hostname, p_port, p_name, p_pid, clock_timestamp(), p_totals[1], p_totals[2], p_totals[3], p_totals[4],
    p_totals[5], p_totals[6], p_totals[7], p_totals[8], p_totals[9], p_totals[10])
  on conflict (id) do update
    set last_seen_at = excluded.last_seen_at, push_requests = excluded.push_requests,
        pop_requests = excluded.pop_requests, ack_requests = excluded.ack_requests,
        transactions = excluded.transactions, push_messages = excluded.push_messages,
        pop_messages = excluded.pop_messages, ack_success = excluded.ack_success, ack_failed = excluded.ack_failed,
        dead_letters = excluded.dead_letters, db_errors = excluded.db_errors;

  insert into queen.minute_queues as m (
    minute, broker, queue, push_requests, push_messages, pop_requests, pop_messages, pop_empty, ack_requests,
    ack_success, ack_failed, auto_acked, transactions, dead_letters, partitions_created, parked, lag_count,
    lag_sum_ms, lag_max_ms)
  select p_minute, p_broker, q.queue, c[i+1], c[i+2], c[i+3], c[i+4], c[i+5], c[i+6], c[i+7], c[i+8], c[i+9], c[i+10],
         c[i+11], c[i+12], c[i+13], c[i+14], c[i+15], c[i+16]
  from (
    select u.queue, (u.n - 1) * 16 as i, p_queue_counts as c from unnest(p_queues) with ordinality as u (queue, n)
  ) q
  on conflict (minute, broker, queue) do update
    set push_requests = excluded.push_requests, push_messages = excluded.push_messages,
        pop_requests = excluded.pop_requests, pop_messages = excluded.pop_messages, pop_empty = excluded.pop_empty,
        ack_requests = excluded.ack_requests, ack_success = excluded.ack_success, ack_failed = excluded.ack_failed,
        auto_acked = excluded.auto_acked, transactions = excluded.transactions, dead_letters = excluded.dead_letters,
        partitions_created = excluded.partitions_created, parked = excluded.parked, lag_count = excluded.lag_count,
        lag_sum_ms = excluded.lag_sum_ms, lag_max_ms = excluded.lag_max_ms;

  insert into queen.minute_workers as m (
    minute, broker, worker, push_requests, pop_requests, ack_requests, transactions, push_messages, pop_messages,
    ack_success, ack_failed, dead_letters, db_errors, jobs_done, lag_count, lag_sum_ms, lag_max_ms, samples,
    free_slots_sum, free_slots_min, job_queue_sum, job_queue_max, db_connections, backoff_size, loop_delay_sum,
    loop_delay_max)
  select p_minute, p_broker, w.n, c[i+1], c[i+2], c[i+3], c[i+4], c[i+5], c[i+6], c[i+7], c[i+8], c[i+9], c[i+10],
         c[i+11], c[i+12], c[i+13], c[i+14], c[i+15], c[i+16], c[i+17], c[i+18], c[i+19], c[i+20], c[i+21],
         d[w.n * 2 + 1], d[w.n * 2 + 2]
  from (
    select n, n * 21 as i, p_worker_counts as c, p_worker_delays as d from generate_series(0, p_workers - 1) as n
  ) w
  on conflict (minute, broker, worker) do update
    set push_requests = excluded.push_requests, pop_requests = excluded.pop_requests,
        ack_requests = excluded.ack_requests, transactions = excluded.transactions,
        push_messages = excluded.push_messages, pop_messages = excluded.pop_messages,
        ack_success = excluded.ack_success, ack_failed = excluded.ack_failed, dead_letters = excluded.dead_letters,
        db_errors = excluded.db_errors, jobs_done = excluded.jobs_done, lag_count = excluded.lag_count,
        lag_sum_ms = excluded.lag_sum_ms, lag_max_ms = excluded.lag_max_ms, samples = excluded.samples,
        free_slots_sum = excluded.free_slots_sum, free_slots_min = excluded.free_slots_min,
        job_queue_sum = excluded.job_queue_sum, job_queue_max = excluded.job_queue_max,
        db_connections = excluded.db_connections, backoff_size = excluded.backoff_size,
        loop_delay_sum = excluded.loop_delay_sum, loop_delay_max = excluded.loop_delay_max;

  insert into queen.minute_system as m (minute, broker, samples, sums, lows, highs, last, shared_state)
  values (p_minute, p_broker, p_samples, p_sums, p_lows, p_highs, p_last, p_shared_state)
  on conflict (minute, broker) do update
    set samples = excluded.samples, sums = excluded.sums, lows = excluded.lows, highs = excluded.highs,
        last = excluded.last, shared_state = excluded.shared_state;
end
$$;
