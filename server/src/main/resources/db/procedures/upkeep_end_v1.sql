-- revision: 3
-- Ends a run, successfully or with an error, and records what it did. After an error the next run continues where this
-- one stopped, or (p_skip) with the queue behind it, so that one queue that fails does not block the others. The step
-- that failed has recorded nothing: if it was the first one of its queue, that is found here as the step found it.
-- o_state 'lost': another broker has the job by now, and ends it.
--
-- Called by: the broker.
-- Locks: the job.
create or replace function queen.upkeep_end_v1(
  p_job text,
  p_token bigint,
  p_error text,
  p_skip boolean,
  out o_state text,
  out o_started_at timestamptz,
  out o_ended_at timestamptz,
  out o_removed bigint
)
language plpgsql
as $$
declare
  v_l queen.upkeep_leases := queen.upkeep_hold_v1(p_job, p_token, interval '0');
begin
  if v_l.job is null then
    o_state := 'lost';
    return;
  end if;
  o_state := 'done';
  o_started_at := v_l.run_started_at;
  o_ended_at := clock_timestamp();
  select coalesce(sum(r.removed), 0) into o_removed
  from queen.upkeep_removed r
  where r.bucket >= date_trunc('minute', v_l.run_started_at, 'UTC') and r.run_id = v_l.run_id;
  insert into queen.upkeep_runs (id, job, holder, started_at, ended_at, removed, error)
  values (v_l.run_id, p_job, v_l.holder, o_started_at, o_ended_at, o_removed, p_error);
  update queen.upkeep_leases l
  set holder = null, expires_at = null, run_id = null, run_started_at = null,
      at_queue = case
        when p_error is null then null
        when p_skip and l.at_partition is null then coalesce((
          select min(q.name)
          from queen.queues q
          where (l.at_queue is null or q.name > l.at_queue)
            and case p_job
              when 'retention'
                then q.retention_enabled and (q.retention_seconds > 0 or q.completed_retention_seconds > 0)
              when 'eviction' then q.max_wait_time_seconds > 0
            end), l.at_queue)
        else l.at_queue
      end,
      at_partition = case when p_error is not null and not p_skip then l.at_partition end,
      at_id = case when p_error is not null then l.at_id end,
      at_unnamed = case when p_error is not null and not p_skip then l.at_unnamed end
  where l.job = p_job;
end
$$;
