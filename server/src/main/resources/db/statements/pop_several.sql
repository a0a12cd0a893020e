-- The same as pop_one for any number of requests with one partition each, no two of them the same cursor. A request
-- that has no row in the answer goes to pop_v1. See pop_one for the answers and the conditions.
--
-- $1 shard; by request: $2 partitions, $3 groups, $4 most messages, $5 ids of the leases, $6 who gets them, $7 the
-- first offset that the caller has in memory and $8 the one behind the last; $9 bytes that the answer to one request
-- may take. The last column is the place of the request. A request whose messages are all in memory gets one row
-- without messages (see RecentMessages).
--
-- That partition_id, in the update, is one of $2 adds no condition: it is there for the planner. Whichever way it
-- joins, it looks at no cursor of another partition, also while the table has no statistics.
--
-- Called by: the broker, for several requests with one candidate each.
-- Locks: cursors; one that is locked is skipped.
with l as materialized (
  select u.id, u.consumer_group, u.lease_id as new_lease_id, u.holder, u.recent_low, u.recent_high, c.*
  from (
    -- Not in the from clause: see push_singles.sql.
    select unnest($2::uuid[]) as id, unnest($3::text[]) as consumer_group, unnest($4::integer[]) as batch,
           unnest($5::uuid[]) as lease_id, unnest($6::text[]) as holder, unnest($7::bigint[]) as recent_low,
           unnest($8::bigint[]) as recent_high
    offset 0
  ) u
  cross join lateral (
    select q.name as queue, p.name as partition, clock_timestamp() + interval '1 second' * q.lease_time as expires,
           p.next_offset, c.committed as low, least(c.committed + u.batch, p.next_offset) as high,
           c.lease_expires_at, c.not_before,
           c.lease_id is null and c.not_before is null and c.batch_cap is null and c.redeliveries is null
             and isempty(c.acked) and c.lone_offset is distinct from c.committed
             and p.first_offset <= c.committed and p.next_offset > c.committed
             and (p.largest + 512::bigint) * least(u.batch, p.next_offset - c.committed) <= $9::bigint
             and q.lease_time > 0 and q.delayed_processing = 0 and q.window_buffer = 0 and coalesce(q.ttl, 0) = 0
             and not q.encryption_enabled and q.bound_since = '-infinity' as usual
    from queen.cursors c, queen.partitions p, queen.queues q
    where c.shard = $1::smallint and c.partition_id = u.id and c.consumer_group = u.consumer_group
      and p.shard = $1::smallint and p.id = u.id and q.id = p.queue_id and q.pauses is null
    for no key update of c skip locked
  ) c
), g as (
  update queen.cursors c
  set lease_id = l.new_lease_id,
      lease_expires_at = l.expires,
      leased = int8multirange(int8range(l.low, l.high)),
      lone_offset = case when l.high - l.low = 1 then l.low else c.lone_offset end,
      lone_deliveries = case when l.high - l.low = 1 then 1 else c.lone_deliveries end,
      leased_at = clock_timestamp(),
      lease_holder = l.holder
  from l
  where c.shard = $1::smallint and c.partition_id = any ($2::uuid[])
    and c.partition_id = l.id and c.consumer_group = l.consumer_group and l.usual
)
select l.usual, l.queue, l.partition,
       case when l.usual then l.expires when l.lease_expires_at > clock_timestamp() then l.lease_expires_at end,
       l.next_offset, l.low, l.not_before is null,
       s.base_offset, s.created_at, s.encrypted,
       coalesce(s.message_ids[s.low : s.high], s.message_ids),
       coalesce(s.transaction_ids[s.low : s.high], s.transaction_ids),
       coalesce(s.payloads[s.low : s.high], s.payloads),
       coalesce(s.trace_ids[s.low : s.high], s.trace_ids),
       coalesce(s.producer_subs[s.low : s.high], s.producer_subs),
       array_position($5::uuid[], l.new_lease_id)
from l
left join lateral (
  select s.*, (l.high - s.base_offset)::integer as high,
         case
           when s.base_offset < l.low or s.base_offset + s.message_count > l.high
             then (l.low - s.base_offset + 1)::integer
         end as low
  from queen.segments s
  where l.usual and (l.low < l.recent_low or l.high > l.recent_high)
    and s.shard = $1::smallint and s.partition_id = l.id
    and s.base_offset >= (
      select b.base_offset
      from queen.segments b
      where b.shard = $1::smallint and b.partition_id = l.id and b.base_offset <= l.low
      order by b.base_offset desc
      limit 1)
    and s.base_offset < l.high
  order by s.base_offset
  offset 0
) s on true
