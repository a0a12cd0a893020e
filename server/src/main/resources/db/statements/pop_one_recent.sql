-- Leases messages of one partition to one request, as pop_one does, if the caller has all of them in memory: those from
-- offset $8 to below $9. See RecentMessages. Answers one row without messages, with the columns that pop_one has for
-- that; or nothing, where pop_one answers nothing. If the messages are not all in memory, nothing is changed, and the
-- answer says that the cursor is not usual.
--
-- It is pop_one without segments. To open that table and its index takes a third of the time of so small a statement.
--
-- $1 to $7 as in pop_one.
--
-- Called by: the broker, for one request with one candidate.
-- Locks: the cursor; if it is locked, nothing happens.
with l as materialized (
  select q.name as queue, p.name as partition, clock_timestamp() + interval '1 second' * q.lease_time as expires,
         p.next_offset, c.committed as low, least(c.committed + $4::integer, p.next_offset) as high,
         c.lease_expires_at, c.not_before,
         c.lease_id is null and c.not_before is null and c.batch_cap is null and c.redeliveries is null
           and isempty(c.acked) and c.lone_offset is distinct from c.committed
           and p.first_offset <= c.committed and p.next_offset > c.committed
           and (p.largest + 512::bigint) * least($4::integer, p.next_offset - c.committed) <= $7::bigint
           and q.lease_time > 0 and q.delayed_processing = 0 and q.window_buffer = 0 and coalesce(q.ttl, 0) = 0
           and not q.encryption_enabled and q.bound_since = '-infinity'
           and c.committed >= $8::bigint and least(c.committed + $4::integer, p.next_offset) <= $9::bigint as usual
  from queen.cursors c, queen.partitions p, queen.queues q
  where c.shard = $1::smallint and c.partition_id = $2::uuid and c.consumer_group = $3::text
    and p.shard = $1::smallint and p.id = $2::uuid and q.id = p.queue_id and q.pauses is null
  for no key update of c skip locked
), g as (
  update queen.cursors c
  set lease_id = $5::uuid,
      lease_expires_at = l.expires,
      leased = int8multirange(int8range(l.low, l.high)),
      lone_offset = case when l.high - l.low = 1 then l.low else c.lone_offset end,
      lone_deliveries = case when l.high - l.low = 1 then 1 else c.lone_deliveries end,
      leased_at = clock_timestamp(),
      lease_holder = $6::text
  from l
  where c.shard = $1::smallint and c.partition_id = $2::uuid and c.consumer_group = $3::text and l.usual
)
select l.usual, l.queue, l.partition,
       case when l.usual then l.expires when l.lease_expires_at > clock_timestamp() then l.lease_expires_at end,
       l.next_offset, l.low, l.not_before is null
from l
