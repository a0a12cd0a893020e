-- revision: 3
-- Dead letters by queue, as statistics_step_v1 counted them, the most first: at most p_limit queues, but total counts
-- all. One row at least. age: how many seconds ago they were counted, null if never.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.dead_by_queue_v1(p_shard smallint, p_limit integer)
returns table (queue text, dead bigint, total bigint, age double precision)
language sql
stable
as $$
  select d.queue, d.dead,
         (select coalesce(sum(t.dead_rows), 0)::bigint from queen.statistics_queues t where t.shard = p_shard),
         extract(epoch from clock_timestamp() - s.refreshed_at)::double precision
  from queen.statistics_state s
  left join lateral (
    select q.name as queue, t.dead_rows as dead
    from queen.statistics_queues t
    join queen.queues q on q.id = t.queue_id
    where t.shard = p_shard and t.dead_rows > 0
    order by t.dead_rows desc, q.name
    limit p_limit
  ) d on true
  where s.shard = p_shard
$$;
