-- revision: 1
-- Counts the messages, in a page of a queue's partitions, that not all of its groups have done; all that are stored, if
-- no group has read the queue. A group that has read it, or has subscribed to it, has to process the messages of all
-- partitions. In a partition without a cursor of the group it starts where open_cursors_v1 would make one. Looks at
-- each partition and each cursor once, never at messages.
--
-- The page: p_limit partitions, by name, behind p_after. p_groups: all groups of the queue, if there are more pages;
-- null: those of this page and those that have subscribed. o_last: the last partition; null if there are no more behind
-- the page.
--
-- Called by: count_backlog_step_v1, reserve_capacity_v1.
-- Locks: none.
create or replace function queen.count_backlog_v1(
  p_shard smallint,
  p_queue_id uuid,
  p_queue text,
  p_groups text[],
  p_after text,
  p_limit integer,
  out o_depth bigint,
  out o_looked_at bigint,
  out o_partitions bigint,
  out o_last text
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  with place as materialized (
    select p.id, p.name, p.first_offset, p.last_append_at, p.next_offset, c.cursors, c.committed, c.scattered, c.groups
    from (
      select p.*
      from queen.partitions p
      where p.queue_id = p_queue_id and p.shard = p_shard and p.name > p_after
      order by p.name
      limit p_limit
    ) p
    cross join lateral (
      select count(*) as cursors, min(c.committed) as committed,
             coalesce(bool_or(not isempty(c.acked)), false) as scattered,
             array_agg(c.consumer_group) as groups  -- in the order of the key
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = p.id
      offset 0
    ) c
  ), subscribed as materialized (
    select s.consumer_group, bool_or(s.started_at is not null) as dated
    from queen.subscriptions s
    where s.shard = p_shard and s.queue = p_queue
    group by s.consumer_group
  ), readers as materialized (
    select coalesce(p_groups, array(
             select g.consumer_group
             from (select distinct p.groups from place p) p
             cross join lateral unnest(p.groups) as g (consumer_group)
             union
             select s.consumer_group from subscribed s)) as groups,
           p_groups is not null or exists (select from subscribed s where s.dated) as dated
  )
  select coalesce(sum(case
           when d.low >= p.next_offset then 0
           when not p.scattered or p.cursors < cardinality(e.groups) then p.next_offset - d.low
           else queen.multirange_size_v1(
             int8multirange(int8range(d.low, p.next_offset)) - (
               select range_intersect_agg(c.acked + int8multirange(int8range(null, c.committed)))
               from queen.cursors c
               where c.shard = p_shard and c.partition_id = p.id))
         end), 0),
         coalesce(sum(1 + p.cursors), 0), count(*), case when count(*) = p_limit then max(p.name) end
  into o_depth, o_looked_at, o_partitions, o_last
  from place p
  cross join readers e
  cross join lateral (
    select case
      when p.cursors = cardinality(e.groups) and p.cursors > 0 then greatest(p.committed, p.first_offset)
      when not e.dated or e.groups = '{}' then p.first_offset
      else least(case when p.cursors > 0 then greatest(p.committed, p.first_offset) end, (
        select min(case
          when s.started_at is null then p.first_offset
          when s.started_at >= p.last_append_at then p.next_offset
          else queen.offset_after_v1(p_shard, p.id, p.first_offset, p.next_offset, s.started_at)
        end)
        from unnest(e.groups) as g (consumer_group)
        left join lateral (
          select s.started_at
          from queen.subscriptions s
          where s.shard = p_shard and s.queue = p_queue and s.consumer_group = g.consumer_group
            and s.partition in ('', p.name)
          order by s.partition desc
          limit 1
        ) s on true
        where p.groups is null or g.consumer_group <> all (p.groups)))
    end as low
  ) d;
end
$$;
