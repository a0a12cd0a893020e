-- revision: 3
-- Messages that groups have not done and the age of the oldest of them, in seconds, by queue and group, as
-- statistics_step_v1 counted them; at most p_limit rows, those with the most first. left_out: how many more there are.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.pending_by_group_v1(p_shard smallint, p_limit integer)
returns table (queue text, consumer_group text, lag bigint, age double precision, left_out bigint)
language sql
stable
as $$
  select q.name, t.consumer_group, t.lag,
         greatest(coalesce(extract(epoch from clock_timestamp() - t.oldest_at), 0), 0)::double precision,
         greatest(count(*) over () - p_limit, 0)
  from queen.statistics_groups t
  join queen.queues q on q.id = t.queue_id
  where t.shard = p_shard
  order by t.lag desc, q.name, t.consumer_group
  limit p_limit
$$;
