-- revision: 1
-- Sums up all partitions, for those who ask more often than that could be done for each of them. One broker at a time: the row of
-- statistics_state is locked meanwhile, and whoever finds it locked goes away (o_outcome 'busy'). Unless p_force, it is not yet due
-- ('early') before p_interval_ms have passed, and so often that it takes more than a twentieth of the time.
-- The cost grows with partitions and their groups, never with messages: see oldest_messages. Of dead letters it counts index entries.
create or replace function queen.refresh_statistics_v1(
  p_shard smallint,
  p_interval_ms integer,
  p_force boolean,
  out o_outcome text,
  out o_partitions bigint,
  out o_looked_up bigint,
  out o_known bigint,
  out o_new_partitions bigint,
  out o_queues bigint,
  out o_namespaces bigint,
  out o_tasks bigint,
  out o_removed bigint
)
language plpgsql
set work_mem = '64MB'
set jit = off
set max_parallel_workers_per_gather = 0  -- in the background: never more than one core
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_state queen.statistics_state;
  v_young constant timestamptz := v_now - interval '5 seconds';  -- a younger message is seldom there the next time
  v_groups bigint;
  v_tidy boolean;  -- what is too much there is in nobody's way: low tells that it is old
  v_removed bigint;
begin
  select s.* into v_state from queen.statistics_state s where s.shard = p_shard for update skip locked;
  if not found then
    o_outcome := 'busy';
    return;
  end if;
  if not p_force and v_state.refreshed_at is not null
     and v_now < v_state.refreshed_at + make_interval(secs => greatest(p_interval_ms, v_state.took_ms * 20) / 1000.0) then
    o_outcome := 'early';
    return;
  end if;
  v_tidy := p_force or v_state.rounds % 10 = 0;

  with standing as materialized (
    select s.consumer_group, s.queue_id, s.partition_id, s.first_offset, s.next_offset, s.last_append_at, s.opened,
           s.implied, s.low, s.lag, s.newest, s.lease_id is not null as leased, s.processing, s.consumed,
           s.last_consumed_at is not null as has_consumed
    from queen.partition_standings_v1(p_shard, v_now) s
    union all
    select '', p.queue_id, p.id, p.first_offset, p.next_offset, p.last_append_at, false, false, p.first_offset,
           p.next_offset - p.first_offset, p.first_offset = p.next_offset - 1, false, 0, 0, false
    from queen.partitions p
    where p.shard = p_shard
      and not exists (select from queen.cursors c where c.shard = p_shard and c.partition_id = p.id)
      and not exists (
        select from queen.subscriptions u
        join queen.queues q on q.name = u.queue
        where u.shard = p_shard and q.id = p.queue_id and u.partition in ('', p.name))
  ),
  place as materialized (
    select s.consumer_group, s.queue_id, s.partition_id, s.next_offset, s.opened, s.implied, s.low, s.lag, s.leased, s.processing, s.consumed,
           s.has_consumed, d.dead,
           case when s.lag <= 0 then null when s.newest then s.last_append_at else coalesce(k.oldest_at, o.created_at) end as oldest_at,
           s.lag > 0 and not s.newest as aged, k.low is not null as known
    from standing s
    left join queen.oldest_messages k
      on k.shard = p_shard and k.partition_id = s.partition_id and k.consumer_group = s.consumer_group and k.low = s.low
    left join lateral (
      select g.created_at
      from queen.segments g
      where s.lag > 0 and not s.newest and k.low is null
        and g.shard = p_shard and g.partition_id = s.partition_id and g.base_offset <= s.low
      order by g.base_offset desc
      limit 1
    ) o on true
    left join (
      select d.partition_id, d.consumer_group, count(*) as dead
      from queen.dead_letters d
      where d.shard = p_shard
      group by d.partition_id, d.consumer_group
    ) d on d.partition_id = s.partition_id and d.consumer_group = s.consumer_group
  ),
  remembered as (
    insert into queen.oldest_messages as k (shard, partition_id, consumer_group, low, oldest_at)
    select p_shard, p.partition_id, p.consumer_group, p.low, p.oldest_at
    from place p
    where p.lag > 0 and p.oldest_at < v_young and not p.known
    on conflict (shard, partition_id, consumer_group) do update set low = excluded.low, oldest_at = excluded.oldest_at
  ),
  forgotten as (
    delete from queen.oldest_messages k
    where v_tidy and k.shard = p_shard and not exists (
      select from place p
      where p.partition_id = k.partition_id and p.consumer_group = k.consumer_group and p.lag > 0 and p.oldest_at < v_young)
    returning 1
  ),
  by_partition as materialized (
    -- Where consumers without a group have not been yet, others count alone; without others, they do.
    select p.queue_id, p.partition_id, max(p.next_offset) as total,
           coalesce(max(p.lag) filter (where not p.implied), max(p.lag)) as pending,
           max(p.processing) as processing, max(coalesce(p.dead, 0)) as dead_letter,
           coalesce(max(greatest(p.next_offset - p.lag - coalesce(p.dead, 0), 0))
             filter (where not p.implied and p.consumer_group <> ''), 0) as completed,
           sum(coalesce(p.dead, 0)) as dead_rows, sum(p.consumed) as consumed,
           case when bool_and(p.implied) then min(p.oldest_at) else min(p.oldest_at) filter (where not p.implied) end as oldest_at
    from place p
    group by p.queue_id, p.partition_id
  ),
  queue_sums as (
    insert into queen.statistics_queues as t (
      shard, queue_id, partitions, total, pending, processing, completed, dead_letter, dead_rows, consumed)
    select p_shard, b.queue_id, count(*), sum(b.total), sum(b.pending), sum(b.processing), sum(b.completed), sum(b.dead_letter),
           sum(b.dead_rows), sum(b.consumed)
    from by_partition b
    group by b.queue_id
    on conflict (shard, queue_id) do update
      set partitions = excluded.partitions, total = excluded.total, pending = excluded.pending, processing = excluded.processing,
          completed = excluded.completed, dead_letter = excluded.dead_letter, dead_rows = excluded.dead_rows, consumed = excluded.consumed
    returning t.queue_id
  ),
  group_sums as (
    insert into queen.statistics_groups as t (shard, queue_id, consumer_group, opened, leased, lagging, lag, oldest_at, consumed)
    select p_shard, p.queue_id, p.consumer_group, count(*) filter (where p.opened), count(*) filter (where p.leased),
           count(*) filter (where p.lag > 0), sum(p.lag), min(p.oldest_at), bool_or(p.has_consumed)
    from place p
    where p.consumer_group <> ''
    group by p.queue_id, p.consumer_group
    on conflict (shard, queue_id, consumer_group) do update
      set opened = excluded.opened, leased = excluded.leased, lagging = excluded.lagging, lag = excluded.lag,
          oldest_at = excluded.oldest_at, consumed = excluded.consumed
    returning t.queue_id, t.consumer_group
  ),
  gone_queues as (
    delete from queen.statistics_queues t
    where t.shard = p_shard and t.queue_id not in (select s.queue_id from queue_sums s)
    returning 1
  ),
  gone_groups as (
    delete from queen.statistics_groups t
    where t.shard = p_shard and (t.queue_id, t.consumer_group) not in (select s.queue_id, s.consumer_group from group_sums s)
    returning 1
  ),
  changed as (
    update queen.statistics_state t
    set refreshed_at = v_now, rounds = t.rounds + 1,
        partitions = b.partitions, offset_lag = b.offset_lag, time_lag = b.time_lag, oldest_at = b.oldest_at,
        failed = (
          select count(*) from queen.attempts a
          where a.shard = p_shard and exists (select from queen.partitions p where p.shard = a.shard and p.id = a.partition_id))
    from (
      select count(*) as partitions,
             array[coalesce(avg(b.pending), 0), coalesce(percentile_cont(0.5) within group (order by b.pending), 0),
                   coalesce(min(b.pending), 0), coalesce(max(b.pending), 0)] as offset_lag,
             array[coalesce(avg(b.age), 0), coalesce(percentile_cont(0.5) within group (order by b.age), 0),
                   coalesce(min(b.age), 0), coalesce(max(b.age), 0)] as time_lag,
             min(b.oldest_at) as oldest_at
      from (
        select b.pending, b.oldest_at,
               greatest(coalesce(extract(epoch from v_now - b.oldest_at), 0), 0)::double precision as age
        from by_partition b
      ) b
    ) b
    where t.shard = p_shard
    returning t.partitions
  )
  select (select partitions from changed),
         c.looked_up, c.known,
         (select count(*) from queue_sums),
         (select count(*) from group_sums),
         (select count(*) from gone_queues) + (select count(*) from gone_groups) + (select count(*) from forgotten)
  from (
    select count(*) filter (where p.aged and not p.known) as looked_up, count(*) filter (where p.aged and p.known) as known
    from place p
  ) c
  into o_partitions, o_looked_up, o_known, o_queues, v_groups, v_removed;

  update queen.statistics_state t
  set took_ms = ceil(extract(epoch from clock_timestamp() - v_now) * 1000)
  where t.shard = p_shard;
  select count(distinct nullif(q.namespace, '')), count(distinct nullif(q.task, '')) into o_namespaces, o_tasks
  from queen.queues q;
  o_outcome := 'done';
  o_new_partitions := greatest(o_partitions - v_state.partitions, 0);
  o_removed := v_removed;
end
$$;
