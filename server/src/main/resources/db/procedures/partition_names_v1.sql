-- revision: 2
-- The names of partitions by id; those that do not exist are left out.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.partition_names_v1(p_shard smallint, p_partition_ids uuid[])
returns table (partition_id uuid, queue text, partition text)
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
#variable_conflict use_column
begin
  return query
    select w.id, q.name, p.name
    from unnest(p_partition_ids) as w (id)
    cross join lateral (
      select p.queue_id, p.name from queen.partitions p where p.shard = p_shard and p.id = w.id offset 0
    ) p
    cross join lateral (select q.name from queen.queues q where q.id = p.queue_id offset 0) q;
end
$$;
