-- revision: 1
-- The same as lagging_partitions_v1, of the partitions that statistics_step_v1 has recorded as lagging: each is looked
-- up by its key, so that the cost grows with p_limit.
--
-- Called by: lagging_partitions_v1.
-- Locks: none.
create or replace function queen.lagging_cached_v1(p_shard smallint, p_seconds integer, p_limit integer)
returns table (
  consumer_group text,
  queue text,
  partition text,
  partition_id uuid,
  lease_id uuid,
  lag bigint,
  time_lag bigint,
  oldest_at timestamptz,
  last_consumed_at timestamptz
)
language plpgsql
stable
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_custom_plan
set jit = off
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
begin
  return query
    select s.consumer_group, s.queue, s.partition, s.partition_id, s.lease_id, s.lag,
           floor(extract(epoch from v_now - s.oldest_at))::bigint, s.oldest_at, s.last_consumed_at
    from (
      select k.consumer_group, q.name as queue, p.name as partition, p.id as partition_id,
             case when c.lease_expires_at > v_now then c.lease_id end as lease_id,
             p.next_offset - b.low - case
               when c.acked is null or isempty(c.acked) then 0
               else queen.multirange_size_v1(c.acked * int8multirange(int8range(b.low, greatest(b.low, p.next_offset))))
             end as lag,
             case when b.low = k.low then k.oldest_at else (
               select g.created_at
               from queen.segments g
               where g.shard = p_shard and g.partition_id = p.id and g.base_offset <= b.low
               order by g.base_offset desc
               limit 1)
             end as oldest_at,
             c.last_consumed_at
      from (
        select k.partition_id, k.consumer_group, k.low, k.oldest_at
        from queen.oldest_messages k
        where k.shard = p_shard and k.consumer_group <> '' and k.oldest_at < v_now - make_interval(secs => p_seconds)
        order by k.oldest_at
        limit p_limit
      ) k
      join queen.partitions p on p.shard = p_shard and p.id = k.partition_id
      join queen.queues q on q.id = p.queue_id
      left join queen.cursors c on c.shard = p_shard and c.partition_id = k.partition_id
        and c.consumer_group = k.consumer_group
      cross join lateral (
        select case
          when c.committed is null then greatest(k.low, p.first_offset)
          when isempty(c.acked) or p.first_offset <= c.committed then greatest(c.committed, p.first_offset)
          else coalesce((select upper(r.r) from unnest(c.acked) as r (r) where p.first_offset <@ r.r), p.first_offset)
        end as low
      ) b
    ) s
    where s.lag > 0 and floor(extract(epoch from v_now - s.oldest_at)) > p_seconds
    order by s.oldest_at, s.consumer_group collate "C", s.queue collate "C", s.partition collate "C";
end
$$;
