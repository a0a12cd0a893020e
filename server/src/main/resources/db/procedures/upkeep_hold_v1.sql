-- revision: 2
-- What every step of upkeep begins with: if the job is still the caller's, its lease is extended. The row stays locked
-- until the step commits, so that no other broker takes over in the middle. Answers a row of nulls when the token is
-- not the last.
--
-- Called by: upkeep_dead_letters_v1, upkeep_end_v1, upkeep_eviction_v1, upkeep_history_v1, upkeep_orphans_v1,
-- upkeep_partitions_v1, upkeep_retention_v1, upkeep_traces_v1.
-- Locks: the job.
create or replace function queen.upkeep_hold_v1(p_job text, p_token bigint, p_lease interval)
returns queen.upkeep_leases
language plpgsql
as $$
declare
  v_l queen.upkeep_leases;
begin
  update queen.upkeep_leases l
  set expires_at = clock_timestamp() + p_lease
  where l.job = p_job and l.token = p_token and l.holder is not null
  returning l.* into v_l;
  return v_l;
end
$$;
