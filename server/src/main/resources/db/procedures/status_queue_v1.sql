-- revision: 4
-- One queue by name with the options that its page shows, and how many partitions it has; no row if there is none. The
-- sums are those of statistics_step_v1, for a queue with more partitions than the page shows.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.status_queue_v1(p_shard smallint, p_queue text)
returns table (
  queue_id uuid,
  queue text,
  namespace text,
  task text,
  priority integer,
  lease_time integer,
  retry_limit integer,
  retry_delay integer,
  ttl integer,
  max_size integer,
  dead_letter_queue boolean,
  created_at timestamptz,
  partitions bigint,
  total bigint,
  pending bigint,
  processing bigint,
  completed bigint,
  dead_letter bigint
)
language sql
stable
as $$
  select q.id, q.name, q.namespace, q.task, q.priority, case when q.lease_time = 0 then 60 else q.lease_time end,
         q.retry_limit, coalesce(q.retry_delay, 0), coalesce(q.ttl, 0), q.max_size, q.dead_letter_queue, q.created_at,
         (select count(*) from queen.partitions p where p.queue_id = q.id and p.shard = p_shard), coalesce(t.total, 0),
         coalesce(t.pending, 0), coalesce(t.processing, 0), coalesce(t.completed, 0), coalesce(t.dead_letter, 0)
  from queen.queues q
  left join queen.statistics_queues t on t.shard = p_shard and t.queue_id = q.id
  where q.name = p_queue
$$;
