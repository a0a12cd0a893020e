-- revision: 2
-- For each pair of a partition and a lease the group that holds the lease there, live; null: none does. For acks that
-- failed: mostly a lease is named together with its group, or by consumers without one.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.lease_groups_v1(p_shard smallint, p_partition_ids uuid[], p_lease_ids uuid[])
returns text[]
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  return array(
    select (
      select c.consumer_group
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = u.id and c.lease_id = u.lease_id
        and c.lease_expires_at > clock_timestamp()
      limit 1)
    from unnest(p_partition_ids, p_lease_ids) with ordinality as u (id, lease_id, n)
    order by u.n);
end
$$;
