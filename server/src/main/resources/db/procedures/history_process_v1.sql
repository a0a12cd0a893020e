-- revision: 2
-- What the brokers used of their machines, all of them together: the mean of each bucket. See history_system_v1.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.history_process_v1(p_from timestamptz, p_to timestamptz, p_minutes integer)
returns table (bucket timestamptz, averages double precision[])
language sql
stable
as $$
  select r.bucket, array_agg(r.average order by r.n)
  from (
    select date_bin(make_interval(mins => p_minutes), m.minute, '2000-01-01T00:00:00Z') as bucket, m.n,
           avg(m.average) as average
    from (
      select m.minute, v.n, sum(v.sum / greatest(m.samples, 1)) as average
      from queen.minute_system m
      cross join lateral unnest(m.sums) with ordinality as v (sum, n)
      where m.minute >= date_trunc('minute', p_from) and m.minute < p_to
      group by m.minute, v.n
    ) m
    group by 1, m.n
  ) r
  group by r.bucket
  order by r.bucket
$$;
