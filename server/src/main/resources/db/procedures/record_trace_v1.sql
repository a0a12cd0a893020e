-- revision: 3
-- Records a trace of a message. Answers the id of the trace, or null if the message is not found.
--
-- The message is looked for in what the group has leased; then where it was traced before; then around the cursors of
-- the partition and at its end, as far as p_reach messages: a bounded search, because there is no index of transaction
-- ids. p_names are distinct. The name is compared outside of a subquery, so that the planner cannot take the primary
-- key, which would go through all traces of a name.
--
-- Called by: the broker.
-- Locks: the counts of the names, in name order.
create or replace function queen.record_trace_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_transaction_id text,
  p_group text,
  p_event_type text,
  p_worker_id text,
  p_data text,
  p_names text[],
  p_reach bigint
) returns uuid
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_id constant uuid := gen_random_uuid();
  v_first bigint;
  v_next bigint;
  v_offset bigint;
  v_now timestamptz;
  v_name text;
begin
  select p.first_offset, p.next_offset into v_first, v_next
  from queen.partitions p
  where p.shard = p_shard and p.id = p_partition_id;
  if not found then
    return null;
  end if;

  select (queen.locate_v1(
    p_shard, array[p_partition_id], array[c.leased], array['{}'::int8multirange], array[1], array[p_transaction_id]))[1]
  into v_offset
  from queen.cursors c
  where c.shard = p_shard and c.partition_id = p_partition_id and c.consumer_group = p_group and c.lease_id is not null;
  if v_offset is null then
    select t.message_offset into v_offset
    from queen.traces t
    where t.shard = p_shard and t.partition_id = p_partition_id and t.transaction_id = p_transaction_id
      and t.message_offset >= v_first
    order by t.created_at desc, t.id desc
    limit 1;
  end if;
  if v_offset is null then
    v_offset := (queen.locate_v1(
      p_shard, array[p_partition_id],
      array[(
        select range_agg(int8range(greatest(u.o - p_reach, v_first), greatest(least(u.o + p_reach, v_next), v_first)))
        from (
          select c.committed as o
          from queen.cursors c
          where c.shard = p_shard and c.partition_id = p_partition_id
          union all
          select v_next
        ) u
        where u.o + p_reach >= v_first)],
      array['{}'::int8multirange], array[1], array[p_transaction_id]))[1];
  end if;
  if v_offset is null then
    return null;
  end if;

  v_now := clock_timestamp();
  for v_name in select u.name collate "C" from unnest(p_names) as u (name) order by 1 loop
    insert into queen.trace_name_counts as c (shard, name, traces, messages, last_seen)
    values (p_shard, v_name, 1, 0, v_now)
    on conflict (shard, name) do update
    set traces = c.traces + 1, last_seen = greatest(c.last_seen, excluded.last_seen);
    -- Under the lock of its count, so that two do not both find themselves the first.
    update queen.trace_name_counts c
    set messages = c.messages + 1
    where c.shard = p_shard and c.name = v_name
      and not exists (
        select
        from (
          select n.name from queen.trace_names n
          where n.shard = p_shard and n.partition_id = p_partition_id and n.message_offset = v_offset
          offset 0
        ) n
        where n.name = v_name);
    insert into queen.trace_names (shard, name, created_at, trace_id, partition_id, message_offset)
    values (p_shard, v_name, v_now, v_id, p_partition_id, v_offset);
  end loop;
  insert into queen.traces (
    shard, partition_id, message_offset, id, transaction_id, consumer_group, event_type, worker_id, data, names,
    created_at)
  values (
    p_shard, p_partition_id, v_offset, v_id, p_transaction_id, p_group, p_event_type, p_worker_id, p_data, p_names,
    v_now);
  return v_id;
end
$$;
