-- revision: 2
-- A step of the sums over all partitions, for pages that are asked for more often than these could be made each time. A
-- pass takes the partitions in id order, about p_page of them in a call, and publishes its sums with the last one.
-- Until then the sums of the pass before stand. First it looks which queues consumers without a group have read, ten
-- pages at a time; if that is one step, the first page is summed up in the same call. So few partitions need one call.
--
-- o_outcome: 'more', 'done', 'busy' or 'early'.
--   busy   another call does a step. One pass at a time, whichever broker calls: a pass that a broker left is continued
--          by the next call, or begins again if it was left for ten minutes
--   early  no pass is under way, and none is due: unless p_force, there is one every p_interval_ms, and not so often
--          that they take more than a twentieth of the time
-- The cost grows with partitions and their groups, never with messages: see oldest_messages. Of dead letters it counts
-- index entries. Partitions that appear behind the pass are left to the next one.
--
-- Called by: the broker.
-- Locks: the row of statistics_state, skipped if locked; it guards the other tables of statistics.
create or replace function queen.statistics_step_v1(
  p_shard smallint,
  p_interval_ms integer,
  p_force boolean,
  p_page integer,
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
-- The statistics of the tables may be old, or missing: a page must never become a look at all partitions, nor
-- at each row of the page for each other one.
set enable_seqscan = off
set enable_nestloop = off
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0  -- in the background: never more than one core
as $$
declare
  v_none constant uuid := '00000000-0000-0000-0000-000000000000';
  v_end constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_now constant timestamptz := clock_timestamp();
  v_young constant timestamptz := v_now - interval '5 seconds';  -- a younger message is seldom there the next time
  v_state queen.statistics_state;
  v_pass queen.statistics_pass;
  v_last uuid;
  v_single boolean;  -- this page is all there is
  v_page record;
begin
  -- 1. Begin a pass, or continue the one under way.
  select s.* into v_state from queen.statistics_state s where s.shard = p_shard for update skip locked;
  if not found then
    o_outcome := 'busy';
    return;
  end if;

  select s.* into v_pass from queen.statistics_pass s where s.shard = p_shard;
  if v_pass.shard is null or v_pass.stepped_at < v_now - interval '10 minutes' then
    if v_pass.shard is null and not p_force and v_state.refreshed_at is not null
       and v_now < v_state.refreshed_at
         + make_interval(secs => greatest(p_interval_ms, v_state.took_ms::bigint * 20) / 1000.0) then
      o_outcome := 'early';
      return;
    end if;
    delete from queen.statistics_pass s where s.shard = p_shard;
    delete from queen.statistics_pass_queues s where s.shard = p_shard;
    delete from queen.statistics_pass_groups s where s.shard = p_shard;
    delete from queen.statistics_pass_spread s where s.shard = p_shard;
    insert into queen.statistics_pass as s (shard, started_at, stepped_at, tidy)
    values (p_shard, v_now, v_now, p_force or v_state.rounds % 10 = 0)
    returning s.* into v_pass;
  end if;

  -- 2. Ten pages of the search for queues that consumers without a group have read.
  if not v_pass.summing then
    select p.id into v_last
    from queen.partitions p
    where p.shard = p_shard and p.id > v_pass.after
    order by p.id
    offset p_page::bigint * 10 - 1
    limit 1;
    v_pass.unnamed := array(
      select u.id from unnest(v_pass.unnamed) as u (id)
      union
      select p.queue_id
      from queen.cursors c
      join queen.partitions p on p.shard = p_shard and p.id = c.partition_id
      where c.shard = p_shard and c.consumer_group = '__QUEUE_MODE__'
        and c.partition_id > v_pass.after and c.partition_id <= coalesce(v_last, v_end)
        and p.id > v_pass.after and p.id <= coalesce(v_last, v_end));
    v_single := v_pass.after = v_none and v_last is null;
    v_pass.after := coalesce(v_last, v_none);
    v_pass.summing := v_last is null;
    update queen.statistics_pass s
    set summing = v_pass.summing, unnamed = v_pass.unnamed, after = v_pass.after
    where s.shard = p_shard;
  end if;

  -- 3. A page of the sums.
  if v_single is distinct from false and v_pass.summing then
    v_last := null;
    select p.id into v_last
    from queen.partitions p
    where p.shard = p_shard and p.id > v_pass.after
    order by p.id
    offset p_page - 1
    limit 1;
    v_single := v_pass.after = v_none and v_last is null;

    with standing as materialized (
      select s.consumer_group, s.queue_id, s.partition_id, s.first_offset, s.next_offset, s.last_append_at, s.opened,
             s.implied, s.low, s.lag, s.newest, s.lease_id is not null as leased, s.processing, s.consumed,
             s.last_consumed_at is not null as has_consumed
      from queen.group_offsets_v1(p_shard, v_now, v_pass.after, coalesce(v_last, v_end), v_pass.unnamed) s
    ),
    everything as materialized (
      select s.* from standing s
      union all
      select '', p.queue_id, p.id, p.first_offset, p.next_offset, p.last_append_at, false, false, p.first_offset,
             p.next_offset - p.first_offset, p.first_offset = p.next_offset - 1, false, 0, 0, false
      from queen.partitions p
      where p.shard = p_shard and p.id > v_pass.after and p.id <= coalesce(v_last, v_end)
        and not exists (select from standing s where s.partition_id = p.id and not s.implied)
    ),
    place as materialized (
      select s.consumer_group, s.queue_id, s.partition_id, s.next_offset, s.opened, s.implied, s.low, s.lag, s.leased,
             s.processing, s.consumed, s.has_consumed, d.dead,
             case
               when s.lag <= 0 then null
               when s.newest then s.last_append_at
               else coalesce(k.oldest_at, o.created_at)
             end as oldest_at,
             s.lag > 0 and not s.newest as aged, k.low is not null as known
      from everything s
      left join queen.oldest_messages k
        on k.shard = p_shard and k.partition_id = s.partition_id and k.consumer_group = s.consumer_group
          and k.low = s.low and k.partition_id > v_pass.after and k.partition_id <= coalesce(v_last, v_end)
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
        where d.shard = p_shard and d.partition_id > v_pass.after and d.partition_id <= coalesce(v_last, v_end)
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
      -- Also of partitions that are gone. Until then a stale row does no harm: its low does not match.
      delete from queen.oldest_messages k
      where v_pass.tidy and k.shard = p_shard
        and k.partition_id > v_pass.after and k.partition_id <= coalesce(v_last, v_end)
        and not exists (
          select from place p
          where p.partition_id = k.partition_id and p.consumer_group = k.consumer_group and p.lag > 0
            and p.oldest_at < v_young)
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
             case
               when bool_and(p.implied) then min(p.oldest_at)
               else min(p.oldest_at) filter (where not p.implied)
             end as oldest_at
      from place p
      group by p.queue_id, p.partition_id
    ),
    aged as materialized (
      select b.pending, b.oldest_at,
             greatest(coalesce(extract(epoch from v_pass.started_at - b.oldest_at), 0), 0)::double precision as age
      from by_partition b
    ),
    queue_sums as (
      insert into queen.statistics_pass_queues as t (
        shard, queue_id, partitions, total, pending, processing, completed, dead_letter, dead_rows, consumed)
      select p_shard, b.queue_id, count(*), sum(b.total), sum(b.pending), sum(b.processing), sum(b.completed),
             sum(b.dead_letter), sum(b.dead_rows), sum(b.consumed)
      from by_partition b
      group by b.queue_id
      on conflict (shard, queue_id) do update
        set partitions = t.partitions + excluded.partitions, total = t.total + excluded.total,
            pending = t.pending + excluded.pending, processing = t.processing + excluded.processing,
            completed = t.completed + excluded.completed, dead_letter = t.dead_letter + excluded.dead_letter,
            dead_rows = t.dead_rows + excluded.dead_rows, consumed = t.consumed + excluded.consumed
    ),
    group_sums as (
      insert into queen.statistics_pass_groups as t (
        shard, queue_id, consumer_group, opened, leased, lagging, lag, oldest_at, consumed)
      select p_shard, p.queue_id, p.consumer_group, count(*) filter (where p.opened), count(*) filter (where p.leased),
             count(*) filter (where p.lag > 0), sum(p.lag), min(p.oldest_at), bool_or(p.has_consumed)
      from place p
      where p.consumer_group <> ''
      group by p.queue_id, p.consumer_group
      on conflict (shard, queue_id, consumer_group) do update
        set opened = t.opened + excluded.opened, leased = t.leased + excluded.leased,
            lagging = t.lagging + excluded.lagging, lag = t.lag + excluded.lag,
            oldest_at = least(t.oldest_at, excluded.oldest_at), consumed = t.consumed or excluded.consumed
    ),
    spread as (
      -- For the medians. Exact if all partitions are on one page, else to three digits, so that there are few values.
      insert into queen.statistics_pass_spread as t (shard, measure, value, partitions)
      select p_shard, m.measure, r.value, count(*)
      from aged a
      cross join lateral (values ('pending', a.pending::double precision), ('age', a.age)) as m (measure, value)
      cross join lateral (
        select case
          when v_single or m.value <= 0 then m.value
          else round(m.value::numeric, least(2 - floor(log(m.value))::integer, 3))::double precision
        end as value
      ) r
      group by m.measure, r.value
      on conflict (shard, measure, value) do update set partitions = t.partitions + excluded.partitions
    )
    select b.*, c.*,
           (select count(*) from forgotten) as removed,
           (select count(*)
            from queen.attempts a
            join queen.partitions p on p.shard = p_shard and p.id = a.partition_id
            where a.shard = p_shard and a.partition_id > v_pass.after and a.partition_id <= coalesce(v_last, v_end)
              and p.id > v_pass.after and p.id <= coalesce(v_last, v_end)) as failed
    into v_page
    from (
      select count(*) as partitions, coalesce(sum(a.pending), 0) as pending_sum, min(a.pending) as pending_min,
             max(a.pending) as pending_max, coalesce(sum(a.age), 0) as age_sum, min(a.age) as age_min,
             max(a.age) as age_max, min(a.oldest_at) as oldest_at
      from aged a
    ) b
    cross join (
      select count(*) filter (where p.aged and not p.known) as looked_up,
             count(*) filter (where p.aged and p.known) as known
      from place p
    ) c;

    update queen.statistics_pass s
    set after = coalesce(v_last, v_end), partitions = s.partitions + v_page.partitions,
        looked_up = s.looked_up + v_page.looked_up, known = s.known + v_page.known,
        removed = s.removed + v_page.removed, failed = s.failed + v_page.failed,
        pending_sum = s.pending_sum + v_page.pending_sum,
        pending_min = least(s.pending_min, v_page.pending_min),
        pending_max = greatest(s.pending_max, v_page.pending_max),
        age_sum = s.age_sum + v_page.age_sum,
        age_min = least(s.age_min, v_page.age_min), age_max = greatest(s.age_max, v_page.age_max),
        oldest_at = least(s.oldest_at, v_page.oldest_at)
    where s.shard = p_shard
    returning s.* into v_pass;
  end if;

  -- 4. If there are more pages, that was all.
  o_partitions := v_pass.partitions;
  o_looked_up := v_pass.looked_up;
  o_known := v_pass.known;
  if v_pass.after <> v_end then
    update queen.statistics_pass s
    set stepped_at = clock_timestamp(), work_ms = s.work_ms + extract(epoch from clock_timestamp() - v_now) * 1000
    where s.shard = p_shard;
    o_outcome := 'more';
    return;
  end if;

  -- 5. Publish the sums, all at once: a reader finds those of one pass.
  with queue_sums as (
    insert into queen.statistics_queues as t (
      shard, queue_id, partitions, total, pending, processing, completed, dead_letter, dead_rows, consumed)
    select s.shard, s.queue_id, s.partitions, s.total, s.pending, s.processing, s.completed, s.dead_letter, s.dead_rows,
           s.consumed
    from queen.statistics_pass_queues s
    join queen.queues q on q.id = s.queue_id
    where s.shard = p_shard
    on conflict (shard, queue_id) do update
      set partitions = excluded.partitions, total = excluded.total, pending = excluded.pending,
          processing = excluded.processing, completed = excluded.completed, dead_letter = excluded.dead_letter,
          dead_rows = excluded.dead_rows, consumed = excluded.consumed
    returning t.queue_id
  ),
  group_sums as (
    insert into queen.statistics_groups as t (
      shard, queue_id, consumer_group, opened, leased, lagging, lag, oldest_at, consumed)
    select s.shard, s.queue_id, s.consumer_group, s.opened, s.leased, s.lagging, s.lag, s.oldest_at, s.consumed
    from queen.statistics_pass_groups s
    join queen.queues q on q.id = s.queue_id
    where s.shard = p_shard
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
    where t.shard = p_shard and (t.queue_id, t.consumer_group) not in (
      select s.queue_id, s.consumer_group from group_sums s)
    returning 1
  )
  select (select count(*) from queue_sums),
         v_pass.removed + (select count(*) from gone_queues) + (select count(*) from gone_groups)
  into o_queues, o_removed;

  update queen.statistics_state t
  set refreshed_at = v_pass.started_at, rounds = t.rounds + 1, partitions = v_pass.partitions,
      offset_lag = array[
        coalesce(v_pass.pending_sum / nullif(v_pass.partitions, 0), 0), m.pending,
        coalesce(v_pass.pending_min, 0), coalesce(v_pass.pending_max, 0)],
      time_lag = array[
        coalesce(v_pass.age_sum / nullif(v_pass.partitions, 0), 0), m.age,
        coalesce(v_pass.age_min, 0), coalesce(v_pass.age_max, 0)],
      oldest_at = v_pass.oldest_at, failed = v_pass.failed
  from (
    select coalesce(max(m.median) filter (where m.measure = 'pending'), 0) as pending,
           coalesce(max(m.median) filter (where m.measure = 'age'), 0) as age
    from (
      -- The mean of the two in the middle, or twice the same one.
      select s.measure, (min(s.value) filter (where s.upto > (v_pass.partitions - 1) / 2)
                         + min(s.value) filter (where s.upto > v_pass.partitions / 2)) / 2 as median
      from (
        select s.measure, s.value, sum(s.partitions) over (partition by s.measure order by s.value) as upto
        from queen.statistics_pass_spread s
        where s.shard = p_shard
      ) s
      group by s.measure
    ) m
  ) m
  where t.shard = p_shard;

  delete from queen.statistics_pass s where s.shard = p_shard;
  delete from queen.statistics_pass_queues s where s.shard = p_shard;
  delete from queen.statistics_pass_groups s where s.shard = p_shard;
  delete from queen.statistics_pass_spread s where s.shard = p_shard;
  update queen.statistics_state t
  set took_ms = ceil(v_pass.work_ms + extract(epoch from clock_timestamp() - v_now) * 1000)
  where t.shard = p_shard;

  select count(distinct nullif(q.namespace, '')), count(distinct nullif(q.task, '')) into o_namespaces, o_tasks
  from queen.queues q;
  o_outcome := 'done';
  o_new_partitions := greatest(v_pass.partitions - v_state.partitions, 0);
end
$$;
