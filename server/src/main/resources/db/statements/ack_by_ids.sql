-- Completes the first messages of one lease that are not done yet, named by their transaction ids in the order of
-- delivery: all of the lease or a part. The usual ack at a broker that did not give the lease, and does not know what
-- it covers. Changes one row, or none: then ack_v1 decides. The conditions are those under which ack_v1 applies an ack
-- at once, and what is written is the same.
--
-- $1 shard, $2 partition, $3 group, $4 lease, $5 the transaction ids.
--
-- Called by: the broker, for an ack of one lease.
-- Locks: the cursor.
update queen.cursors c
set committed = c.committed + cardinality($5::text[]),
    lease_id = case when c.committed + cardinality($5::text[]) < upper(c.leased) then c.lease_id end,
    lease_expires_at = case when c.committed + cardinality($5::text[]) < upper(c.leased) then c.lease_expires_at end,
    leased = case when c.committed + cardinality($5::text[]) < upper(c.leased) then c.leased else '{}' end,
    batch_cap = case
      when c.committed + cardinality($5::text[]) < upper(c.leased) then c.batch_cap
      when c.batch_cap <= 1024 then c.batch_cap * 2
    end,
    last_consumed_at = clock_timestamp()
from queen.partitions p, queen.queues q
where c.shard = $1 and c.partition_id = $2 and c.consumer_group = $3
  and c.lease_id = $4 and c.lease_expires_at > clock_timestamp()
  and c.leased @> int8range(c.committed, c.committed + cardinality($5::text[]))
  and isempty(c.acked) and not c.has_attempts
  and p.shard = $1 and p.id = $2 and p.first_offset <= c.committed and q.id = p.queue_id
  and $5::text[] = array(
    select t.id
    from queen.segments s
    cross join lateral unnest(
      s.transaction_ids[
        greatest(c.committed - s.base_offset, 0) + 1 : c.committed + cardinality($5::text[]) - s.base_offset]
    ) with ordinality as t (id, n)
    where s.shard = $1 and s.partition_id = $2
      and s.base_offset >= (
        select b.base_offset
        from queen.segments b
        where b.shard = $1 and b.partition_id = $2 and b.base_offset <= c.committed
        order by b.base_offset desc
        limit 1)
      and s.base_offset < c.committed + cardinality($5::text[])
    order by s.base_offset, t.n)
returning q.name, p.name, c.lease_id is null
