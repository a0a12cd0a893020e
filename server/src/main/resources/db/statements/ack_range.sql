-- Completes a range of one lease: everything that it covers, or its first messages that are not done yet. The usual
-- ack. The broker that gave the lease remembers what it covers, so no segment is read. Changes one row, or none: then
-- ack_v1 decides. The conditions are those under which ack_v1 applies an ack at once, and what is written is the same.
--
-- $1 shard, $2 partition, $3 group, $4 lease, $5 and $6 what the lease covers, $7 and $8 the range that is done.
--
-- Called by: the broker, for an ack of one lease.
-- Locks: the cursor.
update queen.cursors c
set committed = $8,
    lease_id = case when $8 < $6 then c.lease_id end,
    lease_expires_at = case when $8 < $6 then c.lease_expires_at end,
    leased = case when $8 < $6 then c.leased else '{}' end,
    batch_cap = case when $8 < $6 then c.batch_cap when c.batch_cap <= 1024 then c.batch_cap * 2 end,
    last_consumed_at = clock_timestamp()
from queen.partitions p
where c.shard = $1 and c.partition_id = $2 and c.consumer_group = $3
  and c.lease_id = $4 and c.lease_expires_at > clock_timestamp()
  and c.leased = int8multirange(int8range($5, $6)) and c.committed = $7
  and isempty(c.acked) and not c.has_attempts
  and p.shard = $1 and p.id = $2 and p.first_offset <= $7
