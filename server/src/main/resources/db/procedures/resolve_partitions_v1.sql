-- revision: 4
-- The ids of partitions by name, in the order given; queues and partitions that do not exist are created. A queue made
-- this way takes its namespace and task from its dotted name.
--
-- Called by: configure_v1, push_v1.
-- Locks: the queues that get a partition, in name order, so that they cannot be deleted, nor encrypted, before this
-- commits; then the new partitions, in name order. No lock on existing partitions.
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
  v_queue text;
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

    for v_queue in
      select distinct u.queue collate "C" from unnest(p_queues, v_ids) as u (queue, id) where u.id is null order by 1
    loop
      loop
        perform from queen.queues q where q.name = v_queue for key share;
        exit when found;
        insert into queen.queues (name, namespace, task)
        values (v_queue, split_part(v_queue, '.', 1), split_part(v_queue, '.', 2))
        on conflict (name) do nothing;
      end loop;
    end loop;

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
  -- A null is left where a partition was deleted between the two looks: the caller answers "gone" and retries.
  return v_ids;
end
$$;
