-- revision: 2
-- Which of these messages are stored already? For a broker that sent them before and got no answer.
--
-- The caller names partitions, by queue and name, and for how many seconds at most messages of its can have been in them. Queues that
-- deduplicate for longer than that are passed over: a push finds repeated messages there by itself.
--
-- Locks: partitions, in id order, shared, so that an append under way is waited for and seen.
create or replace function queen.stored_v1(
  p_shard smallint,
  p_queues text[],
  p_partitions text[],
  p_seconds integer[],
  p_message_ids uuid[]
) returns uuid[]
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_ids uuid[];
  v_seconds integer[];
begin
  select array_agg(p.id order by p.id), array_agg(t.seconds order by p.id) into v_ids, v_seconds
  from unnest(p_queues, p_partitions, p_seconds) as t (queue, partition, seconds)
  cross join lateral (
    select q.id, q.dedup_window_seconds from queen.queues q where q.name = t.queue offset 0
  ) q
  cross join lateral (
    select p.id from queen.partitions p where p.shard = p_shard and p.queue_id = q.id and p.name = t.partition offset 0
  ) p
  where q.dedup_window_seconds between 0 and t.seconds;
  if v_ids is null then
    return '{}';
  end if;

  perform 1
  from queen.partitions p
  where p.shard = p_shard and p.id = any (v_ids)
  order by p.id
  for share;

  -- Message ids are unique, whatever partition they are in.
  return array(
    select m.id
    from (
      select i.id
      from unnest(v_ids, v_seconds) as t (id, seconds)
      cross join lateral (
        select queen.offset_after_v1(
                 p_shard, p.id, p.first_offset, p.next_offset, clock_timestamp() - make_interval(secs => t.seconds)) as since
        from queen.partitions p
        where p.shard = p_shard and p.id = t.id
        offset 0
      ) p
      cross join lateral (
        select s.message_ids
        from queen.segments s
        where s.shard = p_shard and s.partition_id = t.id and s.base_offset >= p.since
        offset 0
      ) s
      cross join lateral unnest(s.message_ids) as i (id)
      offset 0
    ) stored
    join unnest(p_message_ids) as m (id) on m.id = stored.id);
end
$$;
