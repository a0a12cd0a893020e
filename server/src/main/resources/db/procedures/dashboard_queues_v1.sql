-- revision: 1
-- A page of the queues whose name is p_queue and contains p_search (null: any), sorted by p_sort: name, partitions,
-- pending, processing, total or dead; by name where that is equal. matched: how many there are on all pages; one row
-- at least. The sums are those of resources_queues_v1, dead letters as statistics_step_v1 counted them. pushed and
-- popped: messages of the newest minute that brokers wrote down, of the last two. The cost grows with queues, and as
-- that of resources_queues_v1.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.dashboard_queues_v1(
  p_shard smallint,
  p_live integer,
  p_queue text,
  p_search text,
  p_sort text,
  p_descending boolean,
  p_limit integer,
  p_offset integer
) returns table (
  matched bigint,
  queue text,
  namespace text,
  task text,
  created_at timestamptz,
  partitions bigint,
  total bigint,
  pending bigint,
  processing bigint,
  dead bigint,
  pushed bigint,
  popped bigint,
  paused boolean,
  stats_age double precision
)
language sql
stable
set jit = off
as $$
  with found as materialized (
    select q.queue, q.namespace, q.task, q.created_at, q.partitions, q.total, q.pending, q.processing, q.stats_age,
           coalesce(t.dead_rows, 0) as dead
    from queen.resources_queues_v1(p_shard, p_live) q
    left join queen.statistics_queues t on t.shard = p_shard and t.queue_id = q.queue_id
    where (p_queue is null or q.queue = p_queue)
      and (p_search is null or position(lower(p_search) in lower(q.queue)) > 0)
  ),
  page as materialized (
    select f.*, row_number() over (
             order by case when p_descending then -1 else 1 end
                        * case p_sort when 'partitions' then f.partitions when 'pending' then f.pending
                            when 'processing' then f.processing when 'total' then f.total when 'dead' then f.dead
                            else 0 end,
                      case when p_sort = 'name' and p_descending then f.queue end collate "C" desc,
                      f.queue collate "C") as place
    from found f
    order by place
    limit p_limit
    offset p_offset
  ),
  recent as (
    select distinct on (m.queue) m.queue, sum(m.push_messages)::bigint as pushed, sum(m.pop_messages)::bigint as popped
    from queen.minute_queues m
    where m.minute >= date_trunc('minute', clock_timestamp() - interval '2 minutes')
      and m.queue in (select p.queue from page p)
    group by m.queue, m.minute
    order by m.queue, m.minute desc
  )
  select c.matched, p.queue, p.namespace, p.task, p.created_at, p.partitions, p.total, p.pending, p.processing, p.dead,
         coalesce(r.pushed, 0), coalesce(r.popped, 0),
         exists (select from queen.queues q where q.name = p.queue and q.pauses ? ''), p.stats_age
  from (select count(*) as matched from found) c
  left join page p on true
  left join recent r on r.queue = p.queue
  order by p.place
$$;
