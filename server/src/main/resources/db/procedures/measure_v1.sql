-- revision: 1
-- How many messages of a queue are there that not all of its groups have done? All that are stored, if no group has read
-- it. A group that has read the queue, or has subscribed to it, has to do the messages of all partitions; in one that it has not met
-- it starts where open_cursors_v1 would make its cursor. Looks at each partition and each cursor once, never at messages.
--
-- p_ids and p_counts: partitions to which the caller has appended so many in this transaction, which do not count.
create or replace function queen.measure_v1(
  p_shard smallint,
  p_queue_id uuid,
  p_queue text,
  p_ids uuid[],
  p_counts integer[],
  out o_depth bigint,
  out o_looked_at bigint
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_groups text[];
  v_dated boolean;  -- a group does not start at the oldest message
begin
  select coalesce(array_agg(g.consumer_group), '{}') into v_groups
  from (
    select c.consumer_group
    from queen.partitions p
    join queen.cursors c on c.shard = p_shard and c.partition_id = p.id
    where p.queue_id = p_queue_id and p.shard = p_shard
    union
    select s.consumer_group from queen.subscriptions s where s.shard = p_shard and s.queue = p_queue
  ) g;
  v_dated := exists (
    select from queen.subscriptions s
    where s.shard = p_shard and s.queue = p_queue and s.started_at is not null);

  select coalesce(sum(case
           when d.low >= p.next_offset then 0
           when not d.scattered then p.next_offset - d.low
           else queen.multirange_size_v1(
             int8multirange(int8range(d.low, p.next_offset)) - (
               select range_intersect_agg(c.acked + int8multirange(int8range(null, c.committed)))
               from queen.cursors c
               where c.shard = p_shard and c.partition_id = p.id))
         end), 0),
         count(*) * (1 + cardinality(v_groups))
  into o_depth, o_looked_at
  from (
    select p.id, p.name, p.first_offset, p.last_append_at, o.appended is not null as is_own,
           p.next_offset - coalesce(o.appended, 0) as next_offset
    from queen.partitions p
    left join unnest(p_ids, p_counts) as o (id, appended) on o.id = p.id
    where p.queue_id = p_queue_id and p.shard = p_shard
  ) p
  cross join lateral (
    select count(*) as cursors, min(c.committed) as committed, bool_or(not isempty(c.acked)) as scattered
    from queen.cursors c
    where c.shard = p_shard and c.partition_id = p.id
    offset 0
  ) c
  cross join lateral (
    select coalesce(c.scattered, false) and c.cursors = cardinality(v_groups) as scattered,
           case
             when c.cursors = cardinality(v_groups) and c.cursors > 0 then greatest(c.committed, p.first_offset)
             when not v_dated then p.first_offset
             else least(case when c.cursors > 0 then greatest(c.committed, p.first_offset) end, (
               select min(case
                 when s.started_at is null then p.first_offset
                 when s.started_at >= p.last_append_at and not p.is_own then p.next_offset
                 else queen.offset_after_v1(p_shard, p.id, p.first_offset, p.next_offset, s.started_at)
               end)
               from unnest(v_groups) as g (consumer_group)
               left join lateral (
                 select s.started_at
                 from queen.subscriptions s
                 where s.shard = p_shard and s.queue = p_queue and s.consumer_group = g.consumer_group
                   and s.partition in ('', p.name)
                 order by s.partition desc
                 limit 1
               ) s on true
               where not exists (
                 select from queen.cursors c
                 where c.shard = p_shard and c.partition_id = p.id and c.consumer_group = g.consumer_group)))
           end as low
    offset 0
  ) d;
end
$$;
