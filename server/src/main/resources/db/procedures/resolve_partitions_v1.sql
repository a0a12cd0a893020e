-- revision: 3
-- The ids of partitions by name, in the order given; queues and partitions that do not exist are created.
-- A queue made this way takes its namespace and task from its dotted name. Takes no lock on existing
-- partitions, and creates in name order, so that two callers never wait for each other in a ring.
create or replace function queen.resolve_partitions_v1(
  p_shard smallint,
  p_queues text[],
  p_partitions text[]
) returns uuid[]
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_ids uuid[];
begin
  for v_attempt in 1 .. 2 loop
    select array_agg(p.id order by w.position) into v_ids
    from rows from (unnest(p_queues), unnest(p_partitions)) with ordinality as w (queue, partition, position)
    left join lateral (
      select q.id from queen.queues q where q.name = w.queue offset 0
    ) q on true
    left join lateral (
      select p.id from queen.partitions p
      where p.shard = p_shard and p.queue_id = q.id and p.name = w.partition
      offset 0
    ) p on true;
    -- Not a second time: what is missing then may come before what was created, in the order of names.
    exit when v_attempt = 2 or array_position(v_ids, null) is null;

    insert into queen.queues (name, namespace, task)
    select w.queue, split_part(w.queue, '.', 1), split_part(w.queue, '.', 2)
    from (select distinct u.queue from unnest(p_queues) as u (queue)) w
    where not exists (select from queen.queues q where q.name = w.queue)
    order by w.queue collate "C"
    on conflict (name) do nothing;

    insert into queen.partitions (shard, id, queue_id, name)
    select p_shard, gen_random_uuid(), q.id, w.partition
    from (
      select u.queue, u.partition
      from unnest(p_queues, p_partitions, v_ids) as u (queue, partition, id)
      where u.id is null
      order by u.queue collate "C", u.partition collate "C"
    ) w
    cross join lateral (select q.id from queen.queues q where q.name = w.queue offset 0) q
    on conflict (queue_id, name, shard) where queue_id is not null do nothing;
  end loop;
  -- A null is left where a queue was deleted between the two looks: the caller answers "gone" and retries.
  return v_ids;
end
$$;
