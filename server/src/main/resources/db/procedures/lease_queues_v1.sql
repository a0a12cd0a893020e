-- revision: 1
-- The queues of the partitions that a lease holds or held, each once; for who may use some queues only.
-- A lease is found by its id alone: see pop_v1 and renew_v1. Locks nothing.
create or replace function queen.lease_queues_v1(p_shard smallint, p_lease_id uuid) returns text[]
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  return array(
    select distinct q.name
    from (
      select c.partition_id
      from queen.cursors c
      where substr(p_lease_id::text, 15, 1) = '8' and c.shard = p_shard
        and c.partition_id between (left(p_lease_id::text, 13) || '-0000-0000-000000000000')::uuid
                               and (left(p_lease_id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid
        and c.lease_id = p_lease_id
      union all
      select unnest(s.partition_ids)
      from queen.leases s
      where s.shard = p_shard and s.lease_id = p_lease_id
    ) c
    cross join lateral (
      select p.queue_id from queen.partitions p where p.shard = p_shard and p.id = c.partition_id offset 0
    ) p
    cross join lateral (select q.name from queen.queues q where q.id = p.queue_id offset 0) q);
end
$$;
