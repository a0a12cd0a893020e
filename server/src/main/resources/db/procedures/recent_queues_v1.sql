-- revision: 2
-- What was done with each queue in the newest minute that was recorded, of the last five, at most p_limit of them:
-- those with the most messages. age: how many seconds ago that minute ended. left_out: how many more there are.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.recent_queues_v1(p_limit integer)
returns table (
  queue text,
  push_requests bigint,
  push_messages bigint,
  pop_messages bigint,
  pop_empty bigint,
  ack_success bigint,
  ack_failed bigint,
  transactions bigint,
  parked bigint,
  lag_count bigint,
  lag_sum_ms bigint,
  lag_max_ms bigint,
  age double precision,
  left_out bigint
)
language sql
stable
as $$
  with recent as (
    select m.*, max(m.minute) over (partition by m.queue) as newest
    from queen.minute_queues m
    where m.minute >= date_trunc('minute', clock_timestamp() - interval '5 minutes')
  )
  select m.queue, sum(m.push_requests)::bigint, sum(m.push_messages)::bigint, sum(m.pop_messages)::bigint,
         sum(m.pop_empty)::bigint, sum(m.ack_success)::bigint, sum(m.ack_failed)::bigint, sum(m.transactions)::bigint,
         sum(m.parked)::bigint, sum(m.lag_count)::bigint, sum(m.lag_sum_ms)::bigint, max(m.lag_max_ms),
         greatest(extract(epoch from clock_timestamp() - (max(m.minute) + interval '1 minute')), 0)::double precision,
         greatest(count(*) over () - p_limit, 0)
  from recent m
  where m.minute = m.newest
  group by m.queue
  order by sum(m.push_messages + m.pop_messages) desc, m.queue
  limit p_limit
$$;
