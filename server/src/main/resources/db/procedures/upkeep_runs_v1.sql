-- revision: 2
-- The last runs of jobs of upkeep, p_limit of each, newest first, with what they removed by queue and rule.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.upkeep_runs_v1(p_jobs text[], p_limit integer)
returns table (
  job text,
  holder text,
  started_at timestamptz,
  ended_at timestamptz,
  removed bigint,
  error text,
  queues text[],
  rules text[],
  counts bigint[]
)
language sql
stable
as $$
  select w.job, r.holder, r.started_at, r.ended_at, r.removed, r.error, d.queues, d.rules, d.counts
  from unnest(p_jobs) with ordinality as w (job, n)
  cross join lateral (
    select r.* from queen.upkeep_runs r where r.job = w.job order by r.started_at desc limit p_limit
  ) r
  cross join lateral (
    select coalesce(array_agg(s.queue order by s.queue, s.rule), '{}') as queues,
           coalesce(array_agg(s.rule order by s.queue, s.rule), '{}') as rules,
           coalesce(array_agg(s.removed order by s.queue, s.rule), '{}') as counts
    from (
      select d.queue, d.rule, sum(d.removed)::bigint as removed
      from queen.upkeep_removed d
      where r.removed > 0 and d.bucket between date_trunc('minute', r.started_at, 'UTC') and r.ended_at
        and d.run_id = r.id and d.queue <> ''
      group by d.queue, d.rule
    ) s
  ) d
  order by w.n, r.started_at desc
$$;
