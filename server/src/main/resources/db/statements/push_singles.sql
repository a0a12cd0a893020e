-- The usual push of one message to each of several partitions. As push_several.sql, which says why it is as it is.
-- There slices are cut from the arrays, and a slice walks its array from the start. Single messages are taken from the
-- arrays in the list of a select, where PostgreSQL goes through them in step. In a from clause it first copies each
-- array into a store of its own.
--
-- $1 to $7 as there; by partition, as $2: $8 whether the message is encrypted, then the message.
--
-- Called by: the broker, for one message to each of several partitions.
-- Locks: partitions, in id order.
with q as materialized (
  select array_agg(q.id) as ids
  from queen.queues q
  where q.name = any ($4::text[])
    and q.dedup_window_seconds = ($5::integer[])[array_position($4::text[], q.name)]
    and q.encryption_enabled = ($6::boolean[])[array_position($4::text[], q.name)]
    and q.max_size = 0 and q.deleted_at is null
), u as (
  update queen.partitions p
  set next_offset = p.next_offset + 1,
      last_append_at = greatest(clock_timestamp(), p.last_append_at),
      largest = greatest(p.largest, $7::integer)
  where p.shard = $1::smallint and p.id = any ($2::uuid[])
    and ($2::uuid[])[width_bucket(p.id, $2::uuid[])] = p.id
    and p.next_offset = ($3::bigint[])[width_bucket(p.id, $2::uuid[])]
    and array_position((select q.ids from q), p.queue_id) is not null
    and (select not exists (select from queen.push_fences f where f.shard = $1::smallint))
    and pg_catalog.clock_timestamp() < statement_timestamp() + interval '2 seconds'
  returning p.id, p.last_append_at
), a as materialized (
  select array_agg(o.id) as ids, array_agg(o.last_append_at) as times
  from (select u.id, u.last_append_at from u order by u.id) o
), s as (
  insert into queen.segments (
    shard, partition_id, base_offset, message_count, created_at, encrypted, message_ids, transaction_ids, payloads,
    trace_ids, producer_subs, bytes)
  select $1::smallint, m.id, m.base_offset, 1, a.times[width_bucket(m.id, a.ids)], m.encrypted,
         array[m.message_id], array[m.transaction_id], array[m.payload],
         case when m.trace_id is not null then array[m.trace_id] end,
         case when m.producer_sub is not null then array[m.producer_sub] end, octet_length(m.payload)
  from a
  cross join (
    select unnest($2::uuid[]) as id, unnest($3::bigint[]) as base_offset, unnest($8::boolean[]) as encrypted,
           unnest($9::uuid[]) as message_id, unnest($10::text[]) as transaction_id, unnest($11::text[]) as payload,
           unnest($12::uuid[]) as trace_id, unnest($13::text[]) as producer_sub
  ) m
  where a.ids[width_bucket(m.id, a.ids)] = m.id
), t as (
  insert into queen.tail (shard, xid, appended_at, partition_ids)
  select $1::smallint, pg_current_xact_id(), clock_timestamp(), a.ids
  from a
  where a.ids is not null
)
select a.ids as partition_ids, a.times as created_at, pg_current_xact_id()::text::bigint as xid
from a
where a.ids is not null
