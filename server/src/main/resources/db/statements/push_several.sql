-- The usual push to several partitions, or of several segments: see PlainPush for what "usual" means. Appends to those
-- partitions that are as the caller knows them, in one commit, and answers them with the time of their messages, in id
-- order. It leaves the others alone: the caller sends their messages by push_v1, which can do everything.
--
-- $1 shard; $2 the partitions, in the order of their bytes; $3 their ends as the caller knows them; $4 the names of
-- their queues; $5 the windows of these and $6 whether they are encrypted, as the caller believes; $7 bytes of the
-- largest payload; $8 how many messages each partition gets; by segment: $9 its partition's place in $2, $10 its first
-- offset, $11 its number of messages, $12 the number of messages before it, $13 whether it is encrypted; then the
-- messages of all segments, end to end.
--
-- Why each condition is there:
--   next_offset: what the caller compared the transaction ids with is all there is. PostgreSQL looks again once it has
--     waited for the lock of a row, so two that append at the same time do not both find the same end. For the same
--     reason a first attempt that comes after its repetition finds another end than it knows.
--   queues: deleted, with a maxSize, with another window or encrypted by now: read as of the start of the statement. A
--     broker that encrypts a queue waits for the transactions that hold locks on partitions (appends_under_way_v1), and
--     this statement holds its lock on the table before it takes its snapshot.
--   push_fences: a push was repeated lately, and this one might be an earlier attempt of it (find_repeated_v1).
--   clock: a statement that has waited for a lock has an old snapshot. One that waited for long leaves it to push_v1,
--     which reads the queue once it has its locks (encryption_began_v1 relies on it). Named with its schema: real time,
--     also in tests.
--
-- No join: one table, one index that can serve, so the rows come in the order of the ids, which is the order of the
-- locks, on whatever statistics. array_position keeps the planner from the index that starts with queue_id.
--
-- Called by: the broker, for several segments.
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
  set next_offset = p.next_offset + ($8::integer[])[width_bucket(p.id, $2::uuid[])],
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
  select $1::smallint, c.id, c.base_offset, c.message_count, a.times[width_bucket(c.id, a.ids)], c.encrypted,
         ($14::uuid[])[c.first : c.last], ($15::text[])[c.first : c.last], l.payloads, ($17::uuid[])[c.first : c.last],
         ($18::text[])[c.first : c.last], pg_column_size(l.payloads)
  from a
  cross join (
    select ($2::uuid[])[m.target] as id, m.base_offset, m.message_count, m.encrypted, m.before + 1 as first,
           m.before + m.message_count as last
    from (
      -- Not in the from clause: see push_singles.sql.
      select unnest($9::integer[]) as target, unnest($10::bigint[]) as base_offset,
             unnest($11::integer[]) as message_count, unnest($12::integer[]) as before,
             unnest($13::boolean[]) as encrypted
    ) m
  ) c
  cross join lateral (select ($16::text[])[c.first : c.last] as payloads offset 0) l
  where a.ids[width_bucket(c.id, a.ids)] = c.id
), t as (
  insert into queen.tail (shard, xid, appended_at, partition_ids)
  select $1::smallint, pg_current_xact_id(), clock_timestamp(), a.ids
  from a
  where a.ids is not null
)
select a.ids as partition_ids, a.times as created_at, pg_current_xact_id()::text::bigint as xid
from a
where a.ids is not null
