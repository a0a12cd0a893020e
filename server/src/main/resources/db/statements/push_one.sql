-- The usual push to one partition, as one segment: see PlainPush for what "usual" means, and push_several.sql, which
-- does the same for several, for why each condition is there. Answers the row of the partition if the messages were
-- appended, else none.
--
-- $1 shard; $2 the partition; $3 its end as the caller knows it, which becomes the first offset; $4 the number of
-- messages; $5 the queue's name; $6 its window and $7 whether it is encrypted, as the caller believes; $8 bytes of the
-- largest payload; then the columns of the segment.
--
-- Every parameter has a type that PostgreSQL can infer from the text: the driver keeps only such statements prepared.
--
-- Called by: the broker, for one segment.
-- Locks: the partition.
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
)
select u.last_append_at as created_at, pg_current_xact_id()::text::bigint as xid
from u
