-- The usual push to one partition, for which a poll waits: as push_one, and the same commit leases the messages to that
-- poll's group, if it has done everything before them. So the poll needs no statement of its own. See Handover.
--
-- Answers the row of the partition if the messages were appended, else none; and when the lease expires, if one was
-- given.
--
-- $1 to $13 as in push_one; $14 the group; $15 most messages that the poll takes; $16 the id of the lease; $17 who
-- gets it.
--
-- Why each condition of the lease is there:
--   committed is where the messages begin: nothing is left before them.
--   lease_id, not_before, batch_cap, redeliveries, acked, lone_offset: as in pop_one, a cursor with a history.
--   queues: as in pop_one, options that a pop has to look at.
--   clock: a statement that has waited for the partition's lock has read the queue's options before. A pop does not
--     wait, so a pause that was answered holds for it; it has to hold here, too.
-- Where one is not met, the messages are appended all the same, and nothing is leased.
--
-- Called by: the broker, for one segment.
-- Locks: the partition, then the cursor; if that is locked, nothing is leased.
with u as (
  update queen.partitions p
  set next_offset = p.next_offset + $4::integer,
      last_append_at = greatest(clock_timestamp(), p.last_append_at),
      largest = greatest(p.largest, $8::integer)
  where p.shard = $1::smallint and p.id = $2::uuid and p.next_offset = $3::bigint
    and p.queue_id is not distinct from (
      select q.id
      from queen.queues q
      where q.name = $5::text and q.dedup_window_seconds = $6::integer and q.encryption_enabled = $7::boolean
        and q.max_size = 0 and q.deleted_at is null)
    and (select not exists (select from queen.push_fences f where f.shard = $1::smallint))
    and pg_catalog.clock_timestamp() < statement_timestamp() + interval '2 seconds'
  returning p.id, p.last_append_at
), s as (
  insert into queen.segments (
    shard, partition_id, base_offset, message_count, created_at, encrypted, message_ids, transaction_ids, payloads,
    trace_ids, producer_subs, bytes)
  select $1::smallint, u.id, $3::bigint, $4::integer, u.last_append_at, $7::boolean, $9::uuid[], $10::text[],
         $11::text[], $12::uuid[], $13::text[],
         case when $4::integer = 1 then $8::integer else pg_column_size($11::text[]) end
  from u
), t as (
  insert into queen.tail (shard, xid, appended_at, partition_ids)
  select $1::smallint, pg_current_xact_id(), u.last_append_at, array[u.id]
  from u
), l as materialized (
  select clock_timestamp() + interval '1 second' * q.lease_time as expires
  from u, queen.cursors c, queen.queues q
  where c.shard = $1::smallint and c.partition_id = $2::uuid and c.consumer_group = $14::text
    and c.committed = $3::bigint
    and c.lease_id is null and c.not_before is null and c.batch_cap is null and c.redeliveries is null
    and isempty(c.acked) and c.lone_offset is distinct from c.committed
    and q.name = $5::text and q.deleted_at is null and q.pauses is null
    and q.lease_time > 0 and q.delayed_processing = 0 and q.window_buffer = 0 and coalesce(q.ttl, 0) = 0
    and not q.encryption_enabled and q.bound_since = '-infinity'
    and pg_catalog.clock_timestamp() < statement_timestamp() + interval '100 milliseconds'
  for no key update of c skip locked
), g as (
  update queen.cursors c
  set lease_id = $16::uuid,
      lease_expires_at = l.expires,
      leased = int8multirange(int8range($3::bigint, $3::bigint + least($15::integer, $4::integer))),
      lone_offset = case when least($15::integer, $4::integer) = 1 then $3::bigint else c.lone_offset end,
      lone_deliveries = case when least($15::integer, $4::integer) = 1 then 1 else c.lone_deliveries end,
      leased_at = clock_timestamp(),
      lease_holder = $17::text
  from l
  where c.shard = $1::smallint and c.partition_id = $2::uuid and c.consumer_group = $14::text
)
select u.last_append_at as created_at, pg_current_xact_id()::text::bigint as xid, l.expires
from u
left join l on true
