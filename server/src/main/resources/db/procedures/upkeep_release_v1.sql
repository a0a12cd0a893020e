-- revision: 2
-- Gives a job back in the middle of a run, for a broker that stops: the next broker that asks continues at once.
--
-- Called by: the broker.
-- Locks: the job.
create or replace function queen.upkeep_release_v1(p_job text, p_token bigint) returns void
language sql
as $$
  update queen.upkeep_leases l
  set holder = null, expires_at = null
  where l.job = p_job and l.token = p_token;
$$;
