-- revision: 1
-- Copies messages to the dead-letter queue, with their number of failures, and forgets their attempts. The caller moves
-- the cursor. A message that retention has removed meanwhile is not copied.
--
-- Called by: apply_statuses_v1, grant_after_failures_v1.
-- Locks: none beyond the cursors, which the caller has locked.
create or replace function queen.dead_letter_v1(
  p_shard smallint,
  p_partition_ids uuid[],
  p_groups text[],
  p_offsets bigint[],
  p_errors text[],
  p_retry_counts integer[],
  p_now timestamptz
) returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
begin
  insert into queen.dead_letters (
    shard, partition_id, consumer_group, message_offset, queue_id, message_id, transaction_id, payload, encrypted,
    trace_id, producer_sub, error_message, retry_count, created_at, failed_at)
  select p_shard, d.id, d.consumer_group, d.o, p.queue_id, s.message_ids[d.o - s.base_offset + 1],
         s.transaction_ids[d.o - s.base_offset + 1], s.payloads[d.o - s.base_offset + 1], s.encrypted,
         s.trace_ids[d.o - s.base_offset + 1], s.producer_subs[d.o - s.base_offset + 1],
         d.error, d.retry_count, s.created_at, p_now
  from unnest(p_partition_ids, p_groups, p_offsets, p_errors, p_retry_counts)
    as d (id, consumer_group, o, error, retry_count)
  cross join lateral (
    select p.queue_id from queen.partitions p where p.shard = p_shard and p.id = d.id offset 0
  ) p
  cross join lateral (
    select s.*
    from queen.segments s
    where s.shard = p_shard and s.partition_id = d.id and s.base_offset <= d.o
    order by s.base_offset desc
    limit 1
  ) s
  where d.o < s.base_offset + s.message_count
  on conflict (shard, partition_id, consumer_group, message_offset) do update
  set error_message = excluded.error_message, retry_count = excluded.retry_count, failed_at = excluded.failed_at;

  delete from queen.attempts a
  where a.shard = p_shard and a.ctid = any (array(
    select f.row_id
    from unnest(p_partition_ids, p_groups, p_offsets) as d (id, consumer_group, o)
    cross join lateral (
      select a.ctid as row_id
      from queen.attempts a
      where a.shard = p_shard and a.partition_id = d.id and a.consumer_group = d.consumer_group
        and a.message_offset = d.o
      offset 0
    ) f));
end
$$;
