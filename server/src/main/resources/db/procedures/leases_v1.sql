-- revision: 2
-- Live leases, of one queue or (null) of all, of one group or of all: one row for each partition that a lease holds, by
-- queue, partition and group, a page of them. messages: how many it covers; done: how many of these are done. The cost
-- grows with the cursors.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.leases_v1(
  p_shard smallint,
  p_queue text,
  p_group text,
  p_limit integer,
  p_offset integer
) returns table (
  lease_id uuid,
  queue text,
  partition text,
  partition_id uuid,
  consumer_group text,
  leased_at timestamptz,
  expires_at timestamptz,
  messages bigint,
  done bigint,
  holder text
)
language plpgsql
stable
set plan_cache_mode = force_custom_plan  -- one queue or all
set jit = off
as $$
#variable_conflict use_column
begin
  return query
    select c.lease_id, q.name, p.name, c.partition_id, c.consumer_group, c.leased_at, c.lease_expires_at,
           queen.multirange_size_v1(c.leased),
           queen.multirange_size_v1(c.leased * (c.acked + int8multirange(int8range(0, c.committed)))), c.lease_holder
    from queen.cursors c
    join queen.partitions p on p.shard = p_shard and p.id = c.partition_id
    join queen.queues q on q.id = p.queue_id
    where c.shard = p_shard and c.lease_id is not null and c.lease_expires_at > clock_timestamp()
      and (p_queue is null or q.name = p_queue) and (p_group is null or c.consumer_group = p_group)
    order by q.name, p.name, c.consumer_group
    limit p_limit
    offset p_offset;
end
$$;
