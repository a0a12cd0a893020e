-- revision: 1
-- A page of groups, one row for each queue that a group reads: see groups_v1. Of one queue (p_queue; null: of all), of
-- one group (p_group), and where the name of the group or of the queue contains p_search. Sorted by p_sort: name, lag,
-- age or leased; by group and queue where that is equal. matched: how many there are on all pages; one row at least.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.dashboard_groups_v1(
  p_shard smallint,
  p_live integer,
  p_queue text,
  p_group text,
  p_search text,
  p_sort text,
  p_descending boolean,
  p_limit integer,
  p_offset integer
) returns table (
  matched bigint,
  consumer_group text,
  queue text,
  opened bigint,
  leased bigint,
  lagging bigint,
  lag bigint,
  time_lag bigint,
  consumed boolean,
  mode text,
  started_at timestamptz,
  subscribed_at timestamptz,
  paused boolean,
  queue_paused boolean,
  stats_age double precision
)
language sql
stable
set work_mem = '32MB'
set jit = off
as $$
  with found as materialized (
    select g.*
    from queen.groups_v1(p_shard, p_live) g
    where (p_queue is null or g.queue = p_queue)
      and (p_group is null or g.consumer_group = p_group)
      and (p_search is null or position(lower(p_search) in lower(g.consumer_group)) > 0
        or position(lower(p_search) in lower(g.queue)) > 0)
  ),
  page as materialized (
    select f.*, row_number() over (
             order by case when p_descending then -1 else 1 end
                        * case p_sort when 'lag' then f.lag when 'age' then f.time_lag when 'leased' then f.leased
                            else 0 end,
                      case when p_sort = 'name' and p_descending then f.consumer_group end collate "C" desc,
                      f.consumer_group collate "C", f.queue collate "C") as place
    from found f
    order by place
    limit p_limit
    offset p_offset
  )
  select c.matched, p.consumer_group, p.queue, p.opened, p.leased, p.lagging, p.lag, p.time_lag, p.consumed, p.mode,
         p.started_at, p.subscribed_at, coalesce(q.pauses ? p.consumer_group, false), coalesce(q.pauses ? '', false),
         p.stats_age
  from (select count(*) as matched from found) c
  left join page p on true
  left join queen.queues q on q.name = p.queue
  order by p.place
$$;
