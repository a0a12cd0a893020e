-- revision: 1
-- The cursors that a lease may hold, by its id alone. A lease over one partition carries the first 48 bits of the
-- partition's id, and the version digit 8; one over several has a row in queen.leases that lists them (see pop_v1). A
-- cursor may have another lease by now: the caller compares. A function has no collation of its own, so the caller that
-- sorts by group says collate "C". In SQL and without settings of its own, so that PostgreSQL inlines it.
--
-- Called by: end_lease_v1, lease_queues_v1, renew_v1, transaction_v1.
-- Locks: none.
create or replace function queen.lease_cursors_v1(p_shard smallint, p_lease_id uuid)
returns table (partition_id uuid, consumer_group text)
language sql
stable
as $$
  select c.partition_id, c.consumer_group
  from queen.cursors c
  where substr(p_lease_id::text, 15, 1) = '8' and c.shard = p_shard
    and c.partition_id between (left(p_lease_id::text, 13) || '-0000-0000-000000000000')::uuid
                           and (left(p_lease_id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid
    and c.lease_id = p_lease_id
  union all
  select p.id, s.consumer_group
  from queen.leases s
  cross join lateral unnest(s.partition_ids) as p (id)
  where s.shard = p_shard and s.lease_id = p_lease_id
$$;
