-- revision: 1
-- What pop_v1 leases from a partition whose cursor has a history: messages done out of order, a batch cap, deliveries
-- alone. Fills in the grant it is given. Copies a message that was delivered alone too often to the dead letters; the
-- grant may then be empty.
--
-- Called by: pop_v1.
-- Locks: none beyond the cursor, which pop_v1 has locked.
create or replace function queen.grant_after_failures_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_group text,
  p_start bigint,
  p_end bigint,
  p_acked int8multirange,
  p_batch_left bigint,
  p_cap integer,
  p_lone_offset bigint,
  p_lone_deliveries integer,
  p_retry_limit integer,
  p_now timestamptz,
  p_auto_ack boolean,
  p_grant queen.grant_v1
) returns queen.grant_v1
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  v_start bigint := p_start;
  v_done int8multirange := p_acked - int8multirange(int8range(null, p_start));  -- retention may have passed some
  v_lone bigint := p_lone_offset;
  v_lone_deliveries integer := p_lone_deliveries;
begin
  if v_lone = v_start and v_lone_deliveries > p_retry_limit then
    perform queen.dead_letter_v1(
      p_shard, array[p_partition_id], array[p_group], array[v_start],
      array['Delivered alone ' || v_lone_deliveries || ' times without an answer'],
      array[v_lone_deliveries - 1], p_now);
    v_done := v_done + int8multirange(int8range(v_start, v_start + 1));
    v_start := upper((select r.r from unnest(v_done) as r (r) order by r.r limit 1));
    v_done := v_done - int8multirange(int8range(null, v_start));
    v_lone := null;
    v_lone_deliveries := 0;
  end if;

  p_grant.ranges := '{}'::int8multirange;
  if v_start < p_end then
    p_grant.ranges := queen.first_n_v1(v_start, p_end, v_done, least(p_batch_left, p_cap)::integer);
  end if;
  if isempty(p_grant.ranges) then
    p_grant.lease_id := null;
    p_grant.expires_at := null;
    p_grant.alone := false;
  else
    p_grant.backlog := p_grant.backlog - upper(p_grant.ranges);  -- it came in as the next offset
    p_grant.alone := p_grant.alone and queen.multirange_size_v1(p_grant.ranges) = 1;
    if p_auto_ack then
      v_done := v_done + p_grant.ranges;
      v_start := upper((select r.r from unnest(v_done) as r (r) order by r.r limit 1));
      v_done := v_done - int8multirange(int8range(null, v_start));
    end if;
  end if;
  p_grant.committed := v_start;
  p_grant.acked := v_done;
  p_grant.lone_offset := v_lone;
  p_grant.lone_deliveries := v_lone_deliveries;
  return p_grant;
end
$$;
