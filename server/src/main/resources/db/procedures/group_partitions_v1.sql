-- revision: 2
-- The progress of one group in each partition that it reads, by queue and partition: see group_lag_v1. A page of them,
-- found by walking through the partitions in their order, so that a page costs no more for what comes after it.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.group_partitions_v1(p_shard smallint, p_group text, p_limit integer, p_offset integer)
returns table (
  queue text,
  partition text,
  lag bigint,
  time_lag bigint,
  lease_id uuid,
  consumed bigint,
  last_consumed_at timestamptz
)
language plpgsql
stable
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = off
set plan_cache_mode = force_custom_plan
set jit = off
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
begin
  return query
    select s.queue, s.partition, s.lag,
           greatest(floor(extract(epoch from v_now - case
             when s.low = s.next_offset - 1 then s.last_append_at else o.created_at end)), 0)::bigint,
           s.lease_id, s.consumed, s.last_consumed_at
    from (
      select q.name as queue, p.name as partition, p.id, p.next_offset, p.last_append_at, b.low,
             p.next_offset - b.low - case
               when c.acked is null or isempty(c.acked) then 0
               else queen.multirange_size_v1(c.acked * int8multirange(int8range(b.low, greatest(b.low, p.next_offset))))
             end as lag,
             case when c.lease_expires_at > v_now then c.lease_id end as lease_id,
             greatest(coalesce(c.committed - c.started, 0) + case
               when c.acked is null or isempty(c.acked) then 0
               else queen.multirange_size_v1(c.acked)
             end, 0) as consumed,
             c.last_consumed_at
      from (
        select q.id, q.name, w.queue is not null or r.reads as whole, w.started_at
        from queen.queues q
        left join queen.subscriptions w
          on w.shard = p_shard and w.queue = q.name and w.consumer_group = p_group and w.partition = ''
        cross join lateral (
          select p_group = '__QUEUE_MODE__' and exists (
            select from queen.partitions p
            join queen.cursors c on c.shard = p_shard and c.partition_id = p.id and c.consumer_group = p_group
            where p.shard = p_shard and p.queue_id = q.id) as reads
        ) r
        order by q.name
      ) q
      cross join lateral (
        select p.* from queen.partitions p where p.queue_id = q.id and p.shard = p_shard order by p.name
      ) p
      left join queen.cursors c on c.shard = p_shard and c.partition_id = p.id and c.consumer_group = p_group
      left join queen.subscriptions n
        on n.shard = p_shard and n.queue = q.name and n.consumer_group = p_group and n.partition = p.name
      cross join lateral (
        select case
          when c.committed is not null then case
            when isempty(c.acked) or p.first_offset <= c.committed then greatest(c.committed, p.first_offset)
            else coalesce((select upper(r.r) from unnest(c.acked) as r (r) where p.first_offset <@ r.r), p.first_offset)
          end
          when i.started_at is null then p.first_offset
          when i.started_at >= p.last_append_at then p.next_offset
          else queen.offset_after_v1(p_shard, p.id, p.first_offset, p.next_offset, i.started_at)
        end as low
        from (select case when n.queue is not null then n.started_at else q.started_at end as started_at) i
      ) b
      where c.committed is not null or q.whole or n.queue is not null
      limit p_limit
      offset p_offset
    ) s
    left join lateral (
      select g.created_at
      from queen.segments g
      where s.lag > 0 and s.low < s.next_offset - 1 and g.shard = p_shard and g.partition_id = s.id
        and g.base_offset <= s.low
      order by g.base_offset desc
      limit 1
    ) o on true;
end
$$;
