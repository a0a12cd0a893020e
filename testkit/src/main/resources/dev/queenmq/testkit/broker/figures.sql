-- What tests ask about queues, exactly and at once: the broker's routes for operators answer the same question only a few
-- times a second afresh.

-- The queues that exist, and those that a group has subscribed to.
create function queen_testkit.queues() returns table (queue text)
language sql
stable
as $$
  select q.name from queen.queues q where q.deleted_at is null
  union
  select s.queue from queen.subscriptions s
$$;

create function queen_testkit.has_queue(p_queue text) returns boolean
language sql
stable
as $$
  select exists (select from queen.queues q where q.name = p_queue)
$$;

-- By partition: stored and not done, for the group that is furthest behind.
create function queen_testkit.pending(p_queue text) returns table (partition text, pending bigint)
language sql
stable
as $$
  select p.partition, p.pending
  from queen.queues q
  cross join lateral queen.resources_partitions_v1(0::smallint, q.id, null, 0, false) p
  where q.name = p_queue
$$;

create function queen_testkit.groups(p_queue text)
returns table (consumer_group text, lag bigint, leases bigint, dead_letters bigint)
language sql
stable
as $$
  select f.consumer_group, sum(f.lag)::bigint, sum(f.leases)::bigint, sum(f.dead_letters)::bigint
  from (
    select g.consumer_group, g.lag, (g.lease_id is not null)::integer as leases, 0 as dead_letters
    from queen.group_lag_v1(0::smallint, queen_testkit.clock_timestamp()) g
    where g.queue = p_queue
    union all
    select d.consumer_group, 0, 0, 1
    from queen.dead_letters d
    join queen.queues q on q.id = d.queue_id
    where q.name = p_queue
    union all
    select s.consumer_group, 0, 0, 0 from queen.subscriptions s where s.queue = p_queue
  ) f
  group by f.consumer_group
$$;

-- Whether an operator has switched something on for all queues.
create function queen_testkit.is_in_maintenance() returns boolean
language sql
stable
as $$
  select exists (select from queen.system_state s where s.value = 'true')
$$;

-- What belongs to no queue by name.
create function queen_testkit.remove_traces_and_streams() returns void
language sql
volatile
as $$
  delete from queen.trace_name_counts;
  delete from queen.trace_names;
  delete from queen.traces;
  delete from queen.stream_cycles;
  delete from queen.stream_state;
  delete from queen.stream_lanes;
  delete from queen.stream_queries
$$;
