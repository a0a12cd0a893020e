-- Leases messages of one partition to one request. The usual pop: see PlainPop for what "usual" means. Answers
--   the messages, a row for each segment; or
--   one row without messages: what the caller needs to say that the partition is leased or empty, or that pop_v1 has to
--     decide; or
--   nothing, if the cursor is locked by another transaction or something does not exist: pop_v1 has to decide.
-- Only in the first case something is changed. The conditions are among those under which pop_v1 grants at once, and
-- what is written is the same.
--
-- $1 shard, $2 partition, $3 group, $4 most messages, $5 id of the lease, $6 who gets it, $7 bytes that the answer may
-- take.
--
-- Why each condition is there:
--   lease_id, not_before, batch_cap, redeliveries, acked, lone_offset: a cursor with a history.
--   first_offset: retention has removed messages that the group has not done.
--   next_offset: there is nothing to give.
--   largest: the messages may not fit into the room that the caller has.
--   queues: options that a pop has to look at. Payloads that are, or were, sealed may have several forms: bound_since
--     and encryption_enabled leave one, so that the caller knows it (payload_form_v1).
--
-- If the cursor has changed since the snapshot, PostgreSQL locks its newest version and computes l again, from that
-- version. The update finds the row by its key and goes on to the newest version as well, which no other transaction
-- can change meanwhile. So what is answered is what is written. The update happens whether its rows are read or not.
--
-- Few expressions and few columns: most of the time of a small statement goes into setting them up.
--
-- Called by: the broker, for one request with one candidate whose messages are not in memory.
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
           and not q.encryption_enabled and q.bound_since = '-infinity' as usual
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
       l.next_offset, l.low, l.not_before is null,
       s.base_offset, s.created_at, s.encrypted,
       coalesce(s.message_ids[s.low : s.high], s.message_ids),
       coalesce(s.transaction_ids[s.low : s.high], s.transaction_ids),
       coalesce(s.payloads[s.low : s.high], s.payloads),
       coalesce(s.trace_ids[s.low : s.high], s.trace_ids),
       coalesce(s.producer_subs[s.low : s.high], s.producer_subs)
from l
left join lateral (
  -- low is null for a segment that is given whole: then no slice is cut.
  select s.*, (l.high - s.base_offset)::integer as high,
         case
           when s.base_offset < l.low or s.base_offset + s.message_count > l.high
             then (l.low - s.base_offset + 1)::integer
         end as low
  from queen.segments s
  where l.usual and s.shard = $1::smallint and s.partition_id = $2::uuid
    and s.base_offset >= (
      select b.base_offset
      from queen.segments b
      where b.shard = $1::smallint and b.partition_id = $2::uuid and b.base_offset <= l.low
      order by b.base_offset desc
      limit 1)
    and s.base_offset < l.high
  order by s.base_offset
  offset 0
) s on true
