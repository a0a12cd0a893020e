-- revision: 2
-- Which broker does the jobs of upkeep now, and when they are due: one row per job asked for, in that order.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.upkeep_jobs_v1(p_jobs text[], p_intervals interval[])
returns table (job text, holder text, expires_at timestamptz, started_at timestamptz, due_at timestamptz)
language sql
stable
as $$
  select w.job, case when l.expires_at > t.now then l.holder end, case when l.expires_at > t.now then l.expires_at end,
         l.run_started_at,
         case when l.run_id is not null or l.last_started_at is null then t.now
         else greatest(l.last_started_at + w.every, t.now) end
  from rows from (unnest(p_jobs), unnest(p_intervals)) with ordinality as w (job, every, n)
  cross join (select clock_timestamp() as now) t
  left join queen.upkeep_leases l on l.job = w.job
  order by w.n
$$;
