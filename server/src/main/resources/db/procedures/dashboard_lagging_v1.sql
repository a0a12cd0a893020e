-- revision: 2
-- A page of the partitions in which a group has something to do, of one queue or (null) of all, of one group or of
-- all: those whose oldest message was created first come first. Where there are more than p_live partitions and
-- cursors, only those are read that statistics_step_v1 has noted as lagging. Their figures are current: a partition
-- that the group has done meanwhile is left out.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.dashboard_lagging_v1(
  p_shard smallint,
  p_live integer,
  p_queue text,
  p_group text,
  p_limit integer,
  p_offset integer
) returns table (
  consumer_group text,
  queue text,
  partition text,
  partition_id uuid,
  lease_id uuid,
  lag bigint,
  oldest_at timestamptz,
  last_consumed_at timestamptz
)
language plpgsql
stable
set work_mem = '32MB'
set plan_cache_mode = force_custom_plan
set jit = off
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
  v_queue constant uuid := (select q.id from queen.queues q where q.name = p_queue and q.deleted_at is null);
begin
  if p_queue is not null and v_queue is null then
    return;
  end if;
  if queen.statistics_live_v1(p_shard, p_live) then
    return query
      select p.consumer_group, p.queue, p.partition, p.partition_id, p.lease_id, p.lag, p.oldest_at, p.last_consumed_at
      from queen.group_lag_v1(p_shard, v_now) p
      where p.lag > 0 and (p_queue is null or p.queue = p_queue) and (p_group is null or p.consumer_group = p_group)
      order by p.oldest_at, p.consumer_group collate "C", p.queue collate "C", p.partition collate "C"
      limit p_limit
      offset p_offset;
    return;
  end if;
  return query
    with noted as materialized (
      select k.partition_id, k.consumer_group, k.low, k.oldest_at, p.queue_id, p.name, p.first_offset, p.next_offset
      from queen.oldest_messages k
      join queen.partitions p on p.shard = p_shard and p.id = k.partition_id
      where k.shard = p_shard and k.consumer_group <> '' and (v_queue is null or p.queue_id = v_queue)
        and (p_group is null or k.consumer_group = p_group)
      order by k.oldest_at, k.partition_id, k.consumer_group
      limit p_limit
      offset p_offset
    )
    select s.consumer_group, s.queue, s.partition, s.partition_id, s.lease_id, s.lag, s.oldest_at, s.last_consumed_at
    from (
      select k.consumer_group, q.name as queue, k.name as partition, k.partition_id,
             case when c.lease_expires_at > v_now then c.lease_id end as lease_id,
             k.next_offset - b.low - case
               when c.acked is null or isempty(c.acked) then 0
               else queen.multirange_size_v1(c.acked * int8multirange(int8range(b.low, greatest(b.low, k.next_offset))))
             end as lag,
             case when b.low = k.low then k.oldest_at else (
               select g.created_at
               from queen.segments g
               where g.shard = p_shard and g.partition_id = k.partition_id and g.base_offset <= b.low
               order by g.base_offset desc
               limit 1)
             end as oldest_at,
             c.last_consumed_at
      from noted k
      join queen.queues q on q.id = k.queue_id
      left join queen.cursors c
        on c.shard = p_shard and c.partition_id = k.partition_id and c.consumer_group = k.consumer_group
      cross join lateral (
        select case
          when c.committed is null then greatest(k.low, k.first_offset)
          when isempty(c.acked) or k.first_offset <= c.committed then greatest(c.committed, k.first_offset)
          else coalesce((select upper(r.r) from unnest(c.acked) as r (r) where k.first_offset <@ r.r), k.first_offset)
        end as low
      ) b
    ) s
    where s.lag > 0
    order by s.oldest_at, s.consumer_group collate "C", s.queue collate "C", s.partition collate "C";
end
$$;
