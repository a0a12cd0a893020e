-- revision: 1
-- Copies a group's messages in ranges of offsets to the dead-letter queue, with their number of failures, and forgets
-- their attempts: dead_letter_v1 for many adjacent messages. The caller moves the cursor, and limits the number of
-- messages. A message that retention has removed meanwhile is not copied. Answers how many were copied.
--
-- Called by: evict_v1, skip_expired_v1.
-- Locks: none beyond the cursor, which the caller has locked.
create or replace function queen.dead_letter_range_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_group text,
  p_ranges int8multirange,
  p_error text,
  p_now timestamptz
) returns integer
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_rows integer;
begin
  insert into queen.dead_letters (
    shard, partition_id, consumer_group, message_offset, queue_id, message_id, transaction_id, payload, encrypted,
    trace_id, producer_sub, error_message, retry_count, created_at, failed_at)
  select p_shard, p_partition_id, p_group, s.base_offset + m.n - 1, p.queue_id, m.message_id, m.transaction_id,
         m.payload, s.encrypted, m.trace_id, m.producer_sub, p_error, coalesce(a.failures, 0), s.created_at, p_now
  from queen.partitions p
  cross join lateral unnest(p_ranges) as r (r)
  cross join lateral (
    select s.*
    from queen.segments s
    where s.shard = p_shard and s.partition_id = p_partition_id
      and s.base_offset >= coalesce((
        select b.base_offset
        from queen.segments b
        where b.shard = p_shard and b.partition_id = p_partition_id and b.base_offset <= lower(r.r)
        order by b.base_offset desc
        limit 1), lower(r.r))
      and s.base_offset < upper(r.r)
    offset 0
  ) s
  cross join lateral rows from (
      unnest(s.message_ids), unnest(s.transaction_ids), unnest(s.payloads), unnest(s.trace_ids),
      unnest(s.producer_subs))
    with ordinality as m (message_id, transaction_id, payload, trace_id, producer_sub, n)
  left join lateral (
    select a.failures
    from queen.attempts a
    where a.shard = p_shard and a.partition_id = p_partition_id and a.consumer_group = p_group
      and a.message_offset = s.base_offset + m.n - 1
    offset 0
  ) a on true
  where p.shard = p_shard and p.id = p_partition_id and s.base_offset + m.n - 1 <@ r.r
  on conflict (shard, partition_id, consumer_group, message_offset) do update
  set error_message = excluded.error_message, retry_count = excluded.retry_count, failed_at = excluded.failed_at;
  get diagnostics v_rows = row_count;

  delete from queen.attempts a
  where a.shard = p_shard and a.partition_id = p_partition_id and a.consumer_group = p_group
    and a.message_offset <@ p_ranges;
  return v_rows;
end
$$;
