-- revision: 2
-- A page of dead letters without their payloads, of one queue, the latest failure first: those with this error ('':
-- without one; null: with any) and of this group (null: of any). matched: how many there are on all pages, as far as
-- 10,000; one row at least if there is such a queue, none otherwise. Errors are compared by their first 500 characters,
-- as dashboard_errors_v1 does, and shown up to 2,000: older rows have errors of any length.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.dashboard_dead_letters_v1(
  p_shard smallint,
  p_queue text,
  p_error text,
  p_group text,
  p_limit integer,
  p_offset integer
) returns table (
  matched bigint,
  partition_id uuid,
  partition text,
  consumer_group text,
  transaction_id text,
  message_id uuid,
  error_message text,
  retry_count integer,
  created_at timestamptz,
  failed_at timestamptz
)
language plpgsql
stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
#variable_conflict use_column
declare
  v_queue constant uuid := (select q.id from queen.queues q where q.name = p_queue and q.deleted_at is null);
begin
  if v_queue is null then
    return;
  end if;
  return query
    with matching as materialized (
      select d.partition_id, d.consumer_group, d.message_offset, d.failed_at
      from queen.dead_letters d
      where d.shard = p_shard and d.queue_id = v_queue
        and (p_error is null or left(coalesce(d.error_message, ''), 500) = left(p_error, 500))
        and (p_group is null or d.consumer_group = p_group)
      order by d.failed_at desc
      limit greatest(10000, p_limit + p_offset)
    )
    select c.matched, d.partition_id, p.name, d.consumer_group, d.transaction_id, d.message_id,
           left(d.error_message, 2000), d.retry_count, d.created_at, d.failed_at
    from (select count(*) as matched from matching) c
    left join lateral (
      select m.*
      from matching m
      order by m.failed_at desc, m.partition_id, m.consumer_group, m.message_offset desc
      limit p_limit
      offset p_offset
    ) m on true
    left join queen.dead_letters d on d.shard = p_shard and d.partition_id = m.partition_id
      and d.consumer_group = m.consumer_group and d.message_offset = m.message_offset
    left join queen.partitions p on p.shard = p_shard and p.id = m.partition_id
    order by m.failed_at desc, m.partition_id, m.consumer_group, m.message_offset desc;
end
$$;
