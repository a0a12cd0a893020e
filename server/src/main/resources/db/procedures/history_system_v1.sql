-- revision: 2
-- What brokers used of their machines, by broker and bucket: see history_queues_v1 and minute_system. last and
-- shared_state are those of the last minute of a bucket.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.history_system_v1(
  p_from timestamptz,
  p_to timestamptz,
  p_minutes integer,
  p_hostname text,
  p_name text
) returns table (
  hostname text,
  port integer,
  name text,
  bucket timestamptz,
  samples bigint,
  averages double precision[],
  lows double precision[],
  highs double precision[],
  last double precision[],
  shared_state text
)
language sql
stable
as $$
  select r.hostname, r.port, r.name, r.bucket, max(r.samples)::bigint, array_agg(r.average order by r.n),
         array_agg(r.low order by r.n), array_agg(r.high order by r.n), array_agg(r.last order by r.n),
         max(r.shared_state)
  from (
    select b.hostname, b.port, b.name, m.bucket, v.n, sum(m.samples) as samples,
           sum(v.sum) / greatest(sum(m.samples), 1) as average, min(v.low) as low, max(v.high) as high,
           (array_agg(v.last order by m.minute desc))[1] as last,
           max(case when m.newest then m.shared_state::text end) as shared_state
    from (
      select m.*, date_bin(make_interval(mins => p_minutes), m.minute, '2000-01-01T00:00:00Z') as bucket,
             m.minute = max(m.minute) over (
               partition by m.broker,
                 date_bin(make_interval(mins => p_minutes), m.minute, '2000-01-01T00:00:00Z')) as newest
      from queen.minute_system m
      where m.minute >= date_trunc('minute', p_from) and m.minute < p_to
    ) m
    join queen.brokers b on b.id = m.broker
    cross join lateral rows from (unnest(m.sums), unnest(m.lows), unnest(m.highs), unnest(m.last))
      with ordinality as v (sum, low, high, last, n)
    where (p_hostname is null or b.hostname = p_hostname) and (p_name is null or b.name = p_name)
    group by b.hostname, b.port, b.name, m.bucket, v.n
  ) r
  group by r.hostname, r.port, r.name, r.bucket
  order by r.hostname, r.port, r.name, r.bucket
$$;
