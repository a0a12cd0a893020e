-- revision: 1
-- What every step of upkeep begins with: is the job still its caller's? Then for another while. The row stays locked
-- until the step commits, so that nobody takes over in its middle. Answers a row of nulls when the token is not the last.
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
