-- revision: 1
-- All queues with the sums over their partitions (see resources_partitions_v1), the newest first.
create or replace function queen.resources_queues_v1(p_shard smallint)
returns table (
  queue_id uuid,
  queue text,
  namespace text,
  task text,
  created_at timestamptz,
  partitions bigint,
  total bigint,
  pending bigint,
  processing bigint
)
language sql
stable
as $$
  select q.id, q.name, q.namespace, q.task, q.created_at, coalesce(p.partitions, 0), coalesce(p.total, 0),
         coalesce(p.pending, 0), coalesce(p.processing, 0)
  from queen.queues q
  left join (
    select p.queue_id, count(*) as partitions, sum(p.total)::bigint as total, sum(p.pending)::bigint as pending,
           sum(p.processing)::bigint as processing
    from queen.resources_partitions_v1(p_shard, null, null, 0, false) p
    group by p.queue_id
  ) p on p.queue_id = q.id
  order by q.created_at desc, q.name
$$;
