-- revision: 2
-- How many polls waited at each broker, in buckets: see history_queues_v1.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.history_parked_v1(
  p_from timestamptz,
  p_to timestamptz,
  p_minutes integer,
  p_queue text
) returns table (bucket timestamptz, queue text, hostname text, name text, parked bigint)
language sql
stable
as $$
  select date_bin(make_interval(mins => p_minutes), m.minute, '2000-01-01T00:00:00Z'), m.queue, b.hostname, b.name,
         max(m.parked)
  from queen.minute_queues m
  join queen.brokers b on b.id = m.broker
  where m.minute >= date_trunc('minute', p_from) and m.minute < p_to and (p_queue is null or m.queue = p_queue)
  group by 1, m.queue, b.hostname, b.name
  order by 1, m.queue, b.hostname, b.name
$$;
