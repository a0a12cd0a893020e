-- revision: 4
-- Eviction in a page of partitions of a queue with maxWaitTimeSeconds, behind p_after by name; o_last is where the next
-- page starts, null when there is none. A group that has not done messages older than that loses them: its own cursor
-- skips them, and no other group's. Messages under a live lease stay with its consumer; those behind them are skipped
-- all the same. With the queue's deadLetterQueue the group gets copies among its dead letters, at most p_limit in one
-- call; where there are more, the next page begins with that partition. Messages that no group reads, by cursor or by
-- subscription, are removed as whole segments. p_unnamed: consumers without a group read the queue (upkeep_unnamed_v1).
--
-- A partition without anything old costs one look into the index of the segments; one that has, one more for its
-- groups.
--
-- Called by: upkeep_eviction_v1.
-- Locks: hiding (shared), partitions that no group reads, in id order, then cursors in key order.
create or replace function queen.evict_v1(
  p_shard smallint,
  p_queue_id uuid,
  p_after text,
  p_unnamed boolean,
  p_partitions integer,
  p_limit integer,
  out o_removed bigint,
  out o_last text
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_q queen.queues;
  v_now timestamptz := clock_timestamp();
  v_old timestamptz;
  v_seen integer;
  v_last text;
  v_ids uuid[];        -- of partitions with something old, by name
  v_names text[];
  v_pair_ids uuid[];   -- cursors with something old before them
  v_pair_groups text[];
  v_awaited uuid[];    -- partitions that a group has subscribed to, without a cursor
  v_new_ids uuid[];    -- of these, those that may lose something to the limit
  v_new_groups text[];
  v_unread uuid[];
  v_unread_names text[];
  v_left integer := p_limit;
  v_c record;
  v_low bigint;
  v_target bigint;
  v_acked int8multirange;
  v_kept int8multirange;
  v_gone int8multirange;
  v_size bigint;
  v_some boolean;
  v_dropped record;
  v_unfinished text collate "C";
begin
  o_removed := 0;
  select q.* into v_q from queen.queues q where q.id = p_queue_id and q.max_wait_time_seconds > 0;
  if not found then
    return;
  end if;
  v_old := v_now - make_interval(secs => v_q.max_wait_time_seconds);
  select count(*), max(w.name), array_agg(w.id order by w.name) filter (where w.oldest < v_old),
         array_agg(w.name order by w.name) filter (where w.oldest < v_old)
  into v_seen, v_last, v_ids, v_names
  from (
    select p.id, p.name, o.oldest
    from (
      select p.id, p.name, p.first_offset, p.next_offset
      from queen.partitions p
      where p.queue_id = v_q.id and p.shard = p_shard and p.name > p_after
      order by p.name
      limit p_partitions
    ) p
    left join lateral (
      select s.created_at as oldest
      from queen.segments s
      where p.first_offset < p.next_offset
        and s.shard = p_shard and s.partition_id = p.id and s.base_offset >= p.first_offset
      order by s.base_offset
      limit 1
    ) o on true
  ) w;

  if v_ids is not null then
    perform queen.hiding_lock_v1(p_shard, false);
    -- Partitions that no group reads lose whole segments. Groups read those where they have a cursor, and those that
    -- they have subscribed to; consumers without a group read all of the queue.
    select array_agg(w.id), array_agg(w.id) filter (where w.early), array_agg(w.consumer_group) filter (where w.early)
    into v_awaited, v_new_ids, v_new_groups
    from unnest(v_ids, v_names) as u (id, name)
    cross join lateral (
      select u.id, s.consumer_group, s.started_at is null or s.started_at < v_old as early
      from queen.subscriptions s
      where s.shard = p_shard and s.queue || '' = v_q.name and s.partition || '' in ('', u.name)
      union
      select u.id, '__QUEUE_MODE__', true where p_unnamed
    ) w
    where not exists (
      select from queen.cursors c
      where c.shard = p_shard and c.partition_id = w.id and c.consumer_group = w.consumer_group);
    select array_agg(u.id), array_agg(u.name) into v_unread, v_unread_names
    from unnest(v_ids, v_names) as u (id, name)
    where not exists (select from queen.cursors c where c.shard = p_shard and c.partition_id = u.id)
      and u.id <> all (coalesce(v_awaited, '{}'));
    if v_unread is not null then
      select d.* into v_dropped
      from queen.drop_segments_v1(
        p_shard, v_unread, array_fill(v_old, array[cardinality(v_unread)]),
        array_fill(9223372036854775807, array[cardinality(v_unread)]), p_limit) d;
      o_removed := o_removed + (select sum(m.m) from unnest(v_dropped.o_messages) as m (m));
      v_unfinished := least(v_unfinished, v_unread_names[array_position(v_dropped.o_more, true)]);
    end if;
    if v_new_ids is not null then
      perform queen.open_cursors_v1(p_shard, v_new_ids, v_new_groups);
    end if;

    -- Cursors in front of something old skip it.
    select array_agg(c.partition_id), array_agg(c.consumer_group) into v_pair_ids, v_pair_groups
    from unnest(v_ids) as u (id)
    cross join lateral (
      select p.first_offset, p.next_offset from queen.partitions p where p.shard = p_shard and p.id = u.id offset 0
    ) p
    cross join lateral (
      select c.partition_id, c.consumer_group, greatest(c.committed, p.first_offset) as low
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = u.id and greatest(c.committed, p.first_offset) < p.next_offset
      offset 0
    ) c
    cross join lateral (
      select s.created_at
      from queen.segments s
      where s.shard = p_shard and s.partition_id = u.id and s.base_offset <= c.low
      order by s.base_offset desc
      limit 1
    ) s
    where s.created_at < v_old;

    for v_c in
      select c.*, p.*
      from (
        select u.id, u.consumer_group collate "C" as consumer_group
        from unnest(v_pair_ids, v_pair_groups) as u (id, consumer_group)
        order by 1, 2
        offset 0
      ) w
      cross join lateral (
        select c.ctid as row_id, c.partition_id, c.consumer_group, c.committed, c.acked, c.leased, c.has_attempts,
               c.lease_expires_at > clock_timestamp() as live
        from queen.cursors c
        where c.shard = p_shard and c.partition_id = w.id and c.consumer_group = w.consumer_group
        for no key update
      ) c
      cross join lateral (
        select p.name, p.first_offset, p.next_offset
        from queen.partitions p
        where p.shard = p_shard and p.id = w.id
        offset 0
      ) p
    loop
      v_low := greatest(v_c.committed, v_c.first_offset);
      v_target := queen.offset_after_v1(
        p_shard, v_c.partition_id, v_low, v_c.next_offset, v_old - interval '1 microsecond');
      continue when v_target <= v_low;
      v_acked := v_c.acked - int8multirange(int8range(null, v_low));
      v_kept := case when v_c.live then v_c.leased else '{}' end;
      v_gone := int8multirange(int8range(v_low, v_target)) - v_acked - v_kept;
      continue when isempty(v_gone);
      if v_q.dead_letter_queue then
        if v_left <= 0 then
          v_unfinished := least(v_unfinished, v_c.name);
          continue;
        end if;
        if queen.multirange_size_v1(v_gone) > v_left then
          v_unfinished := least(v_unfinished, v_c.name);
          v_gone := queen.first_n_v1(v_low, v_target, v_acked + v_kept, v_left);
        end if;
        perform queen.dead_letter_range_v1(
          p_shard, v_c.partition_id, v_c.consumer_group, v_gone, 'Evicted (maxWaitTimeSeconds)', v_now);
      elsif v_c.has_attempts then
        delete from queen.attempts a
        where a.shard = p_shard and a.partition_id = v_c.partition_id and a.consumer_group = v_c.consumer_group
          and a.message_offset <@ v_gone;
      end if;
      v_size := queen.multirange_size_v1(v_gone);
      v_left := v_left - v_size;
      o_removed := o_removed + v_size;
      v_acked := v_acked + v_gone;
      if v_low <@ v_acked then
        v_low := upper((select r.r from unnest(v_acked) as r (r) order by r.r limit 1));
        v_acked := v_acked - int8multirange(int8range(null, v_low));
      end if;
      v_some := v_c.has_attempts and exists (
        select from queen.attempts a
        where a.shard = p_shard and a.partition_id = v_c.partition_id and a.consumer_group = v_c.consumer_group);
      update queen.cursors c
      set committed = v_low, acked = v_acked, has_attempts = v_some,
          started = c.started + v_size  -- what was skipped was not consumed
      where c.shard = p_shard and c.partition_id = v_c.partition_id and c.consumer_group = v_c.consumer_group
        and c.ctid = v_c.row_id;
    end loop;

  end if;

  if v_unfinished is not null then
    o_last := coalesce((
      select p.name
      from queen.partitions p
      where p.queue_id = v_q.id and p.shard = p_shard and p.name < v_unfinished
      order by p.name desc
      limit 1), '');
  else
    o_last := case when v_seen = p_partitions then v_last end;
  end if;
end
$$;
