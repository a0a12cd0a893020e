-- revision: 1
-- Marks what these leases cover as done, and ends them, as a pop with autoAck does by itself: for messages that had to
-- be leased until the broker had decrypted them. Cursors come as arrays, in any order, each with the lease it was given
-- under. Answers the leases that were live; one that has ended or that another pop has taken over is left alone.
--
-- Called by: the broker.
-- Locks: cursors, in key order.
create or replace function queen.complete_leases_v1(
  p_shard smallint,
  p_partition_ids uuid[],
  p_groups text[],
  p_lease_ids uuid[]
) returns uuid[]
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_c record;
  v_done int8multirange;
  v_committed bigint;
  v_settled uuid[] := '{}';
begin
  for v_c in
    select c.*
    from (
      select u.id, u.consumer_group collate "C" as consumer_group, u.lease_id
      from unnest(p_partition_ids, p_groups, p_lease_ids) as u (id, consumer_group, lease_id)
      order by 1, 2
      offset 0
    ) w
    cross join lateral (
      select c.partition_id, c.consumer_group, c.committed, c.acked, c.leased, c.lease_id
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = w.id and c.consumer_group = w.consumer_group
        and c.lease_id = w.lease_id and c.lease_expires_at > clock_timestamp()
      for no key update
    ) c
  loop
    v_done := v_c.acked + v_c.leased;
    v_committed := coalesce((select upper(r.r) from unnest(v_done) as r (r) where v_c.committed <@ r.r), v_c.committed);
    update queen.cursors c
    set committed = v_committed,
        acked = v_done - int8multirange(int8range(null, v_committed)),
        leased = '{}',
        lease_id = null,
        lease_expires_at = null,
        last_consumed_at = clock_timestamp()
    where c.shard = p_shard and c.partition_id = v_c.partition_id and c.consumer_group = v_c.consumer_group;
    v_settled := v_settled || v_c.lease_id;
  end loop;
  return v_settled;
end
$$;
