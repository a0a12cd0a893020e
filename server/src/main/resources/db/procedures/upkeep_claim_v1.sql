-- revision: 2
-- Asks for a job of upkeep. o_state: 'claimed', with the token that every step has to name; 'held', another broker has
-- it; 'early', it is not due. For the last two o_wait says after how many seconds to ask again. A claim of an
-- unfinished run continues it; p_force makes it due, and begins at the start.
--
-- Called by: the broker.
-- Locks: the job.
create or replace function queen.upkeep_claim_v1(
  p_job text,
  p_holder text,
  p_lease interval,
  p_interval interval,
  p_force boolean,
  out o_state text,
  out o_token bigint,
  out o_holder text,
  out o_wait double precision
)
language plpgsql
as $$
declare
  v_l queen.upkeep_leases;
  v_now timestamptz;
begin
  select l.* into v_l from queen.upkeep_leases l where l.job = p_job for update;
  if not found then
    insert into queen.upkeep_leases (job) values (p_job) on conflict (job) do nothing;
    select l.* into strict v_l from queen.upkeep_leases l where l.job = p_job for update;
  end if;
  v_now := clock_timestamp();
  if v_l.holder is not null and v_l.expires_at > v_now then
    o_state := 'held';
    o_holder := v_l.holder;
    o_wait := extract(epoch from v_l.expires_at - v_now);
  elsif not p_force and v_l.run_id is null and v_l.last_started_at + p_interval > v_now then
    o_state := 'early';
    o_wait := extract(epoch from v_l.last_started_at + p_interval - v_now);
  else
    if p_force or v_l.run_id is null then
      v_l.run_id := gen_random_uuid();
      v_l.run_started_at := v_now;
    end if;
    if p_force then
      v_l.at_queue := null;
      v_l.at_partition := null;
      v_l.at_id := null;
      v_l.at_unnamed := null;
    end if;
    update queen.upkeep_leases l
    set holder = p_holder, token = l.token + 1, expires_at = v_now + p_lease, run_id = v_l.run_id,
        run_started_at = v_l.run_started_at, last_started_at = v_l.run_started_at, at_queue = v_l.at_queue,
        at_partition = v_l.at_partition, at_id = v_l.at_id, at_unnamed = v_l.at_unnamed
    where l.job = p_job
    returning l.token into o_token;
    o_state := 'claimed';
    o_holder := p_holder;
  end if;
end
$$;
