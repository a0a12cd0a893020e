-- The same as ack_range for any number of leases on one partition each: all of them or none. Parameters are arrays,
-- sorted by (partition, group).
--
-- The rows are locked first, each by its whole key, in their newest version, and the conditions hold for that. Then
-- they are updated through the same index. The update joins nothing: which side of a join is outside depends on the
-- statistics, and while the table has none, the planner would walk through all cursors of the shard.
--
-- Called by: the broker, for acks of several leases.
-- Locks: cursors, in key order.
with found as materialized (
  select c.committed
  from (
    -- Not in the from clause: see push_singles.sql.
    select unnest($2::uuid[]) as id, unnest($3::text[]) as consumer_group, unnest($4::uuid[]) as lease_id,
           unnest($5::bigint[]) as low, unnest($6::bigint[]) as high, unnest($7::bigint[]) as start
    offset 0
  ) u
  cross join lateral (
    select c.committed
    from queen.cursors c
    where c.shard = $1 and c.partition_id = u.id and c.consumer_group = u.consumer_group
      and c.lease_id = u.lease_id and c.lease_expires_at > clock_timestamp()
      and c.leased = int8multirange(int8range(u.low, u.high)) and c.committed = u.start
      and isempty(c.acked) and not c.has_attempts
    for no key update
  ) c
  cross join lateral (
    select p.first_offset
    from queen.partitions p
    where p.shard = $1 and p.id = u.id and p.first_offset <= u.start
    offset 0
  ) p
)
update queen.cursors c
set committed = ($8::bigint[])[array_position($4::uuid[], c.lease_id)],
    lease_id = case
      when ($8::bigint[])[array_position($4::uuid[], c.lease_id)] < upper(c.leased) then c.lease_id
    end,
    lease_expires_at = case
      when ($8::bigint[])[array_position($4::uuid[], c.lease_id)] < upper(c.leased) then c.lease_expires_at
    end,
    leased = case
      when ($8::bigint[])[array_position($4::uuid[], c.lease_id)] < upper(c.leased) then c.leased
      else '{}'
    end,
    batch_cap = case
      when ($8::bigint[])[array_position($4::uuid[], c.lease_id)] < upper(c.leased) then c.batch_cap
      when c.batch_cap <= 1024 then c.batch_cap * 2
    end,
    last_consumed_at = clock_timestamp()
where c.shard = $1 and c.partition_id = any ($2::uuid[])
  -- The lease of this very row: one over several partitions is in several rows.
  and c.partition_id = ($2::uuid[])[array_position($4::uuid[], c.lease_id)]
  and (select count(*) from found) = cardinality($2::uuid[])
