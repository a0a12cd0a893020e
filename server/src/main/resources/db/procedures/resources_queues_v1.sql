-- revision: 3
-- All queues with the sums over their partitions (see resources_partitions_v1), the newest first. Where there are more
-- than p_live partitions and cursors, the sums are those of statistics_step_v1, and stats_age is their age in seconds;
-- else it is 0.
--
-- Called by: the broker, dashboard_queues_v1.
-- Locks: none.
create or replace function queen.resources_queues_v1(p_shard smallint, p_live integer)
returns table (
  queue_id uuid,
  queue text,
  namespace text,
  task text,
  created_at timestamptz,
  partitions bigint,
  total bigint,
  pending bigint,
  processing bigint,
  consumed bigint,
  stats_age double precision
)
language plpgsql
stable
as $$
#variable_conflict use_column
declare
  v_age double precision := 0;
begin
  if queen.statistics_live_v1(p_shard, p_live) then
    return query
      select q.id, q.name, q.namespace, q.task, q.created_at, coalesce(p.partitions, 0), coalesce(p.total, 0),
             coalesce(p.pending, 0), coalesce(p.processing, 0), coalesce(p.consumed, 0), v_age
      from queen.queues q
      left join (
        select p.queue_id, count(*) as partitions, sum(p.total)::bigint as total, sum(p.pending)::bigint as pending,
               sum(p.processing)::bigint as processing, sum(p.consumed)::bigint as consumed
        from queen.resources_partitions_v1(p_shard, null, null, 0, false) p
        group by p.queue_id
      ) p on p.queue_id = q.id
      where q.deleted_at is null
      order by q.created_at desc, q.name;
    return;
  end if;
  v_age := (
    select extract(epoch from clock_timestamp() - s.refreshed_at)
    from queen.statistics_state s
    where s.shard = p_shard);
  return query
    select q.id, q.name, q.namespace, q.task, q.created_at, coalesce(t.partitions, 0), coalesce(t.total, 0),
           coalesce(t.pending, 0), coalesce(t.processing, 0), coalesce(t.consumed, 0), v_age
    from queen.queues q
    left join queen.statistics_queues t on t.shard = p_shard and t.queue_id = q.id
    where q.deleted_at is null
    order by q.created_at desc, q.name;
end
$$;
