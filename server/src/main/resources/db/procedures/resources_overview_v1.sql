-- revision: 2
-- The sums over all partitions (see resources_partitions_v1), and how far behind they are, in messages and in seconds
-- since the oldest pending message was created. A partition with nothing pending is 0 behind. o_failed: messages that
-- failed and will be tried again. Where there are more than p_live partitions and cursors, the sums are those of
-- statistics_step_v1, and o_stats_age is their age in seconds; else it is 0.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.resources_overview_v1(
  p_shard smallint,
  p_live integer,
  out o_queues bigint,
  out o_namespaces bigint,
  out o_tasks bigint,
  out o_partitions bigint,
  out o_total bigint,
  out o_pending bigint,
  out o_processing bigint,
  out o_completed bigint,
  out o_failed bigint,
  out o_dead_letter bigint,
  out o_offset_lag double precision[],  -- average, median, least, most
  out o_time_lag double precision[],
  out o_now timestamptz,
  out o_stats_age double precision
)
language plpgsql
stable
set jit = off
as $$
begin
  o_now := clock_timestamp();
  select count(*), count(distinct nullif(q.namespace, '')), count(distinct nullif(q.task, ''))
  into o_queues, o_namespaces, o_tasks
  from queen.queues q
  where q.deleted_at is null;

  if not queen.statistics_live_v1(p_shard, p_live) then
    select s.partitions, s.offset_lag, s.failed, extract(epoch from o_now - s.refreshed_at),
           -- Since then, those with something pending have aged.
           array[s.time_lag[1], s.time_lag[2], s.time_lag[3],
                 greatest(coalesce(extract(epoch from o_now - s.oldest_at), 0), 0)]
    into o_partitions, o_offset_lag, o_failed, o_stats_age, o_time_lag
    from queen.statistics_state s
    where s.shard = p_shard;
    select coalesce(sum(t.total), 0), coalesce(sum(t.pending), 0), coalesce(sum(t.processing), 0),
           coalesce(sum(t.completed), 0), coalesce(sum(t.dead_letter), 0)
    into o_total, o_pending, o_processing, o_completed, o_dead_letter
    from queen.statistics_queues t
    where t.shard = p_shard and exists (select from queen.queues q where q.id = t.queue_id);
    return;
  end if;
  o_stats_age := 0;

  select count(*), coalesce(sum(p.total), 0), coalesce(sum(p.pending), 0), coalesce(sum(p.processing), 0),
         coalesce(sum(p.completed), 0), coalesce(sum(p.dead_letter), 0),
         array[coalesce(avg(p.pending), 0), coalesce(percentile_cont(0.5) within group (order by p.pending), 0),
               coalesce(min(p.pending), 0), coalesce(max(p.pending), 0)],
         array[coalesce(avg(p.age), 0), coalesce(percentile_cont(0.5) within group (order by p.age), 0),
               coalesce(min(p.age), 0), coalesce(max(p.age), 0)]
  into o_partitions, o_total, o_pending, o_processing, o_completed, o_dead_letter, o_offset_lag, o_time_lag
  from (
    select p.total, p.pending, p.processing, p.completed, p.dead_letter,
           greatest(coalesce(extract(epoch from o_now - p.oldest_at), 0), 0)::double precision as age
    from queen.resources_partitions_v1(p_shard, null, null, 0, true) p
  ) p;

  select count(*) into o_failed
  from queen.attempts a
  where exists (select from queen.partitions p where p.shard = a.shard and p.id = a.partition_id)
    and a.shard = p_shard;
end
$$;
