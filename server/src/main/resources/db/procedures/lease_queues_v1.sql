-- revision: 2
-- The queues of the partitions that a lease holds or held, each once: for callers that may use only some queues. A
-- lease is found by its id alone: see pop_v1 and renew_v1.
--
-- Called by: the broker.
-- Locks: none.
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
    from queen.lease_cursors_v1(p_shard, p_lease_id) c
    cross join lateral (
      select p.queue_id from queen.partitions p where p.shard = p_shard and p.id = c.partition_id offset 0
    ) p
    cross join lateral (select q.name from queen.queues q where q.id = p.queue_id offset 0) q);
end
$$;
