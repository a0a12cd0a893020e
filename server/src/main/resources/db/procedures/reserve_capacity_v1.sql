-- revision: 1
-- Which of a push's messages have no room in their queue? For push_v1, when one of its queues has a maxSize. Answers by
-- message; null if there is room for all. Accepted messages are added to the queue's count here.
--
-- By slot: the queues of the partitions, which the caller has locked and not yet changed. By message: its slot (0: it
-- is not appended anyway) and its id. p_duplicates: positions of messages that need no room.
--
-- The messages that came first get the room: message ids rise as messages come. Within a partition nothing is accepted
-- behind a message that was not, so that a message that a producer sends again does not end up behind those that
-- followed it.
--
-- The messages of a queue are counted (count_backlog_v1) when the last count plus what was accepted since says that it
-- is full. Consumers only make it emptier, so in between the number is never too low. Counting looks at every
-- partition, so it has to wait for about five times as long as it took: that is the cost of a full queue. It is also
-- done when its settings have changed, because pushes before that were not counted, and a little later again, for those
-- that were under way; when a group has subscribed or was moved (invalidate_capacity_v1); and now and then.
--
-- A queue with more than 2,000 partitions (large) is not counted here, where locks are held: the push asks for it, and
-- count_backlog_step_v1 does it in steps. Until then the number is kept. If it may lack something, because the settings
-- have changed since, the queue counts for as full as it was when partitions were last summed up (statistics_queues),
-- if that is more; a queue that was neither counted nor summed up counts as full.
--
-- Called by: push_v1.
-- Locks: capacities, in queue order, until commit: two pushes to such a queue take turns.
create or replace function queen.reserve_capacity_v1(
  p_shard smallint,
  p_queues uuid[],
  p_message_slots integer[],
  p_message_ids uuid[],
  p_duplicates integer[]
) returns boolean[]
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  -- Seconds. A row takes a fifth of it; a few of them are not worth waiting for.
  v_pause constant double precision := 0.00002;
  v_few constant bigint := 256;
  v_under_way constant interval := '5 seconds';
  v_now_and_then constant interval := '1 minute';
  v_many constant integer := 2000;  -- partitions: as in count_backlog_step_v1
  v_count constant integer := cardinality(p_message_slots);
  v_out boolean[] := array_fill(false, array[v_count]);
  v_full boolean[];
  v_groups integer;
  v_new bigint;     -- messages to be accepted
  v_room bigint;
  v_due boolean;
  v_measured boolean;
  v_depth bigint;
  v_now timestamptz;
  v_q record;
  v_c record;
  v_n integer;
begin
  for i in 1 .. coalesce(cardinality(p_duplicates), 0) loop
    v_out[p_duplicates[i]] := true;
  end loop;

  for v_q in
    select q.*
    from (select distinct u.id from unnest(p_queues) as u (id)) w
    cross join lateral (
      select q.id, q.name, q.max_size, q.version from queen.queues q where q.id = w.id and q.max_size > 0 offset 0
    ) q
    order by q.id
  loop
    select count(*) into v_new
    from unnest(p_message_slots, v_out) as m (slot, is_out)
    where m.slot > 0 and not m.is_out and p_queues[m.slot] = v_q.id;
    continue when v_new = 0;

    loop
      select c.version, c.groups, c.depth, c.looked_at, c.measured_at, c.again_at, c.large, c.wanted, c.known into v_c
      from queen.capacities c
      where c.shard = p_shard and c.queue_id = v_q.id
      for no key update;
      exit when found;
      insert into queen.capacities (shard, queue_id, version, groups, depth, looked_at, measured_at, again_at)
      values (p_shard, v_q.id, -1, 0, 0, 0, '-infinity', '-infinity')
      on conflict (shard, queue_id) do nothing;
    end loop;

    select count(g.consumer_group) into v_groups from queen.subscribed_groups_v1(p_shard, v_q.name) g;

    v_now := clock_timestamp();
    v_due := v_c.version <> v_q.version
      or v_c.groups <> v_groups
      or v_now >= v_c.again_at
      or (v_c.depth + v_new > v_q.max_size
          and (v_c.looked_at <= v_few or v_now >= v_c.measured_at + make_interval(secs => v_c.looked_at * v_pause)));
    if v_due and not v_c.large then
      v_c.large := (
        select count(*) > v_many
        from (
          select from queen.partitions p
          where p.queue_id = v_q.id and p.shard = p_shard
          limit v_many + 1
        ) p);
    end if;
    v_measured := v_due and not v_c.large;
    v_depth := v_c.depth;
    if v_measured then
      v_c.again_at := case
        when v_c.version <> v_q.version then v_now + v_under_way
        when v_now >= v_c.again_at
          then v_now + greatest(v_now_and_then, make_interval(secs => 20 * v_c.looked_at * v_pause))
        else v_c.again_at
      end;
      v_c.measured_at := v_now;
      select m.o_depth, m.o_looked_at into v_c.depth, v_c.looked_at
      from queen.count_backlog_v1(p_shard, v_q.id, v_q.name, null, '', v_many + 1) m;
      v_c.version := v_q.version;
      v_c.groups := v_groups;
      v_c.known := true;
      v_depth := v_c.depth;
    elsif v_c.large and (v_c.version <> v_q.version or not v_c.known) then
      v_depth := greatest(v_c.depth, coalesce(
        (select s.pending from queen.statistics_queues s where s.shard = p_shard and s.queue_id = v_q.id),
        case when v_c.measured_at = '-infinity' then v_q.max_size else 0 end));
    end if;

    v_room := greatest(v_q.max_size - v_depth, 0);
    if v_new > v_room then
      v_full := coalesce(v_full, array_fill(false, array[v_count]));
      for v_n in
        select r.n
        from (
          select m.n, row_number() over (order by m.key, m.n) as place
          from (
            select m.n, max(m.id::text collate "C") over (partition by m.slot order by m.n) as key
            from rows from (unnest(p_message_slots), unnest(v_out), unnest(p_message_ids))
              with ordinality as m (slot, is_out, id, n)
            where m.slot > 0 and not m.is_out and p_queues[m.slot] = v_q.id
          ) m
        ) r
        where r.place > v_room
      loop
        v_full[v_n] := true;
      end loop;
    end if;

    if v_measured or v_room > 0 or (v_due and v_c.large and not v_c.wanted) then
      update queen.capacities c
      set version = v_c.version, groups = v_c.groups, depth = v_c.depth + least(v_new, v_room),
          appended = c.appended + least(v_new, v_room), looked_at = v_c.looked_at, measured_at = v_c.measured_at,
          again_at = v_c.again_at, known = v_c.known, large = v_c.large, wanted = c.wanted or (v_due and v_c.large)
      where c.shard = p_shard and c.queue_id = v_q.id;
    end if;
  end loop;
  return v_full;
end
$$;
