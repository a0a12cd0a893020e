-- revision: 2
-- A step of counting the messages of a queue that has a maxSize and more than p_many partitions: reserve_capacity_v1
-- leaves these alone. First the groups are found that have read the queue, then messages are counted, p_page partitions
-- in a call, by name. With the last page the result is written: what the pages counted, and everything that was
-- accepted since the count began. Some of that is counted twice, and what consumers did behind the page is not seen, so
-- the result may be too high until the next count, never too low.
--
-- o_outcome: 'more' if a step was done, 'none' if there was nothing to do, 'off' if no queue has a maxSize. Several
-- brokers may call it: a step that another broker does is skipped, and a count that a broker left is continued.
--
-- A queue is counted when a push asked for it (wanted) or its settings have changed, but not before about five times as
-- long as counting takes have passed; and now and then (again_at) if it is at least half full, because a transaction
-- that found no room is rolled back and cannot ask.
--
-- Called by: the broker.
-- Locks: measurements (skipped if locked), then one row of capacities, to begin or to end a count; or the rows of
-- capacities that are made or checked, in queue order.
create or replace function queen.count_backlog_step_v1(
  p_shard smallint,
  p_page integer,
  p_many integer,
  out o_outcome text
)
language plpgsql
set enable_seqscan = off
set jit = off
as $$
declare
  v_pause constant double precision := 0.00002;  -- seconds a row, as in reserve_capacity_v1
  v_now constant timestamptz := clock_timestamp();
  v_m queen.measurements;
  v_q record;
  v_page record;
  v_made bigint;
  v_checked bigint;
begin
  o_outcome := 'none';
  select m.* into v_m
  from queen.measurements m
  where m.shard = p_shard
  order by m.stepped_at
  for update skip locked
  limit 1;

  if not found then
    -- Which ones have many partitions is looked up at most once a minute, where it may matter.
    insert into queen.capacities (
      shard, queue_id, version, groups, depth, looked_at, measured_at, again_at, checked_at, large)
    select p_shard, q.id, -1, 0, 0, 0, '-infinity', '-infinity', v_now, w.large
    from queen.queues q
    left join queen.capacities c on c.shard = p_shard and c.queue_id = q.id
    cross join lateral (
      select count(*) > p_many as large
      from (select from queen.partitions p where p.queue_id = q.id and p.shard = p_shard limit p_many + 1) p
      offset 0
    ) w
    where q.max_size > 0 and c.queue_id is null
    order by q.id
    on conflict (shard, queue_id) do nothing;
    get diagnostics v_made = row_count;
    update queen.capacities c
    set checked_at = v_now, large = w.large
    from (
      select c.queue_id
      from queen.capacities c
      join queen.queues q on q.id = c.queue_id
      where c.shard = p_shard and not c.large and c.checked_at < v_now - interval '1 minute'
        and q.max_size > 0 and (c.version <> q.version or c.depth * 2 >= q.max_size)
      order by c.queue_id
      for no key update of c skip locked
    ) l
    cross join lateral (
      select count(*) > p_many as large
      from (select from queen.partitions p where p.queue_id = l.queue_id and p.shard = p_shard limit p_many + 1) p
      offset 0
    ) w
    where c.shard = p_shard and c.queue_id = l.queue_id;
    get diagnostics v_checked = row_count;
    if v_made + v_checked > 0 then
      o_outcome := 'more';  -- the locks of these must be gone before one is waited for
      return;
    end if;

    select q.id, q.name, q.version, c.version as was, c.appended into v_q
    from queen.capacities c
    join queen.queues q on q.id = c.queue_id
    where c.shard = p_shard and c.large and q.max_size > 0
      and (c.wanted or c.version <> q.version or (v_now >= c.again_at and c.depth * 2 >= q.max_size))
      and v_now >= c.measured_at + make_interval(secs => c.looked_at * v_pause)
      and not exists (select from queen.measurements m where m.shard = p_shard and m.queue_id = c.queue_id)
    order by c.measured_at, c.queue_id
    for no key update of c  -- waits: with many pushes it is seldom free
    limit 1;
    if not found then
      if not exists (select from queen.queues q where q.max_size > 0) then
        o_outcome := 'off';
      end if;
      return;
    end if;
    insert into queen.measurements as m (shard, queue_id, stepped_at, version, changed, subscribed, appended, groups)
    select p_shard, v_q.id, v_now, v_q.version, v_q.was <> v_q.version, count(g.consumer_group), v_q.appended,
           coalesce(array_agg(g.consumer_group) filter (where g.consumer_group is not null), '{}')
    from queen.subscribed_groups_v1(p_shard, v_q.name) g
    on conflict (shard, queue_id) do nothing
    returning m.subscribed into v_m.subscribed;
    if not found then
      return;
    end if;
    -- A push that asks from now on asks for the next count. The end of this one sets again_at.
    update queen.capacities c
    set version = v_q.version, groups = v_m.subscribed, wanted = false, known = c.known and v_q.was = v_q.version,
        again_at = v_now + interval '1 hour'
    where c.shard = p_shard and c.queue_id = v_q.id;
    o_outcome := 'more';
    return;
  end if;

  o_outcome := 'more';
  select q.name into v_q from queen.queues q where q.id = v_m.queue_id and q.max_size > 0;
  if not found then
    delete from queen.measurements m where m.shard = p_shard and m.queue_id = v_m.queue_id;
    return;
  end if;

  if not v_m.summing then
    with page as materialized (
      select p.id, p.name
      from queen.partitions p
      where p.queue_id = v_m.queue_id and p.shard = p_shard and p.name > v_m.after
      order by p.name
      limit p_page
    )
    select array(
             select g.consumer_group from unnest(v_m.groups) as g (consumer_group)
             union
             select c.consumer_group
             from page p
             cross join lateral (
               select c.consumer_group from queen.cursors c where c.shard = p_shard and c.partition_id = p.id offset 0
             ) c) as groups,
           (select case when count(*) = p_page then max(p.name) end from page p) as last
    into v_page;
    update queen.measurements m
    set stepped_at = v_now, groups = v_page.groups, after = coalesce(v_page.last, ''), summing = v_page.last is null
    where m.shard = p_shard and m.queue_id = v_m.queue_id;
    return;
  end if;

  select m.o_depth, m.o_looked_at, m.o_partitions, m.o_last into v_page
  from queen.count_backlog_v1(p_shard, v_m.queue_id, v_q.name, v_m.groups, v_m.after, p_page) m;
  v_m.depth := v_m.depth + v_page.o_depth;
  v_m.looked_at := v_m.looked_at + v_page.o_looked_at;
  v_m.partitions := v_m.partitions + v_page.o_partitions;
  if v_page.o_last is not null then
    update queen.measurements m
    set stepped_at = v_now, after = v_page.o_last, depth = v_m.depth, looked_at = v_m.looked_at,
        partitions = v_m.partitions
    where m.shard = p_shard and m.queue_id = v_m.queue_id;
    return;
  end if;

  update queen.capacities c
  set depth = v_m.depth + c.appended - v_m.appended, looked_at = v_m.looked_at, groups = v_m.subscribed, known = true,
      large = v_m.partitions > p_many, measured_at = clock_timestamp(),
      again_at = clock_timestamp() + case
        when v_m.changed then interval '5 seconds'
        else greatest(interval '1 minute', make_interval(secs => 20 * v_m.looked_at * v_pause))
      end
  where c.shard = p_shard and c.queue_id = v_m.queue_id;
  delete from queen.measurements m where m.shard = p_shard and m.queue_id = v_m.queue_id;
end
$$;
