-- revision: 1
-- A step of retention: a page of partitions of a queue that has asked for it. Removes whole segments,
--   older than retentionSeconds, read or not (rule 'retention');
--   older than completedRetentionSeconds and done by everybody (rule 'completed'): below the lowest position of all
--   groups that have a cursor on the partition or have subscribed to it, or would start there. Partitions that nobody
--   reads are left alone by it.
-- Nothing that a group has not done is ever behind its cursor, so no cursor has to be locked: whoever moves back or comes
-- anew while this runs finds what it would find a moment later.
--
-- A partition without anything old costs one look into the index of the segments, whatever it holds. At most p_limit
-- segments go in one step; where more should, the next step begins with that partition.
-- Locks: the job, then partitions with something to remove, in id order.
create or replace function queen.upkeep_retention_v1(
  p_shard smallint,
  p_token bigint,
  p_lease interval,
  p_partitions integer,
  p_limit integer,
  out o_state text,
  out o_removed bigint
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_l queen.upkeep_leases := queen.upkeep_hold_v1('retention', p_token, p_lease);
  v_q queen.queues;
  v_now timestamptz := clock_timestamp();
  v_old timestamptz;        -- what is older goes in any case
  v_done_old timestamptz;   -- what is older goes when all have done it
  v_seen integer;
  v_last text;              -- the last partition of the page
  v_ids uuid[];
  v_names text[];
  v_below bigint[];
  v_dropped record;
  v_count bigint;
  v_unfinished text collate "C";
begin
  o_removed := 0;
  if v_l.job is null then
    o_state := 'lost';
    return;
  end if;
  o_state := 'more';
  select q.* into v_q
  from queen.queues q
  where q.retention_enabled and (q.retention_seconds > 0 or q.completed_retention_seconds > 0)
    and (v_l.at_queue is null or q.name > v_l.at_queue or (q.name = v_l.at_queue and v_l.at_partition is not null))
  order by q.name
  limit 1;
  if not found then
    o_state := 'done';
    return;
  end if;
  if v_l.at_queue is distinct from v_q.name or v_l.at_partition is null then
    v_l.at_queue := v_q.name;
    v_l.at_partition := '';
    v_l.at_unnamed := null;
  end if;

  if v_q.completed_retention_seconds > 0 and v_l.at_unnamed is null then
    select u.o_reads, case when u.o_reads is null then u.o_last else '' end into v_l.at_unnamed, v_l.at_partition
    from queen.upkeep_unnamed_v1(p_shard, v_q.id, v_l.at_partition, p_partitions) u;
    update queen.upkeep_leases l
    set at_queue = v_l.at_queue, at_partition = v_l.at_partition, at_unnamed = v_l.at_unnamed
    where l.job = v_l.job;
    return;
  end if;

  v_old := case when v_q.retention_seconds > 0 then v_now - make_interval(secs => v_q.retention_seconds)
           else '-infinity' end;
  v_done_old := case when v_q.completed_retention_seconds > 0
                then v_now - make_interval(secs => v_q.completed_retention_seconds) else '-infinity' end;
  select count(*), max(w.name),
         array_agg(w.id order by w.name) filter (where w.oldest < v_old or w.below > w.first_offset),
         array_agg(w.name order by w.name) filter (where w.oldest < v_old or w.below > w.first_offset),
         array_agg(coalesce(w.below, 0) order by w.name) filter (where w.oldest < v_old or w.below > w.first_offset)
  into v_seen, v_last, v_ids, v_names, v_below
  from (
    select p.id, p.name, p.first_offset, o.oldest,
           case when o.oldest < v_done_old then least(
             (select min(greatest(c.committed, p.first_offset))
              from queen.cursors c
              where c.shard = p_shard and c.partition_id = p.id),
             (select min(case
                       when s.started_at is null then p.first_offset
                       else queen.offset_after_v1(p_shard, p.id, p.first_offset, p.next_offset, s.started_at)
                     end)
              from queen.subscriptions s
              where s.shard = p_shard and s.queue = v_q.name and s.partition in ('', p.name)
                and (s.partition <> '' or not exists (  -- what a group said of the one partition counts there
                  select from queen.subscriptions n
                  where n.shard = p_shard and n.queue = v_q.name and n.consumer_group = s.consumer_group
                    and n.partition = p.name))
                and not exists (
                  select from queen.cursors c
                  where c.shard = p_shard and c.partition_id = p.id and c.consumer_group = s.consumer_group)),
             case when v_l.at_unnamed and not exists (
               select from queen.cursors c
               where c.shard = p_shard and c.partition_id = p.id and c.consumer_group = '__QUEUE_MODE__')
             then p.first_offset end)
           end as below
    from (
      select p.id, p.name, p.first_offset, p.next_offset
      from queen.partitions p
      where p.queue_id = v_q.id and p.shard = p_shard and p.name > v_l.at_partition
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
    -- As many partitions as may go at most.
    if cardinality(v_ids) > p_limit then
      v_unfinished := v_names[p_limit + 1];
      v_ids := v_ids[: p_limit];
      v_below := v_below[: p_limit];
    end if;
    select d.* into v_dropped
    from queen.drop_segments_v2(
      p_shard, v_ids, array_fill(v_old, array[cardinality(v_ids)]),
      array_fill(9223372036854775807, array[cardinality(v_ids)]), p_limit) d;
    v_count := (select sum(m.m) from unnest(v_dropped.o_messages) as m (m));
    perform queen.upkeep_note_v1(v_l.run_id, v_q.name, 'retention', v_count);
    o_removed := o_removed + v_count;
    if not true = any (v_dropped.o_more) and v_done_old > '-infinity' then
      select d.* into v_dropped
      from queen.drop_segments_v2(
        p_shard, v_ids, array_fill(v_done_old, array[cardinality(v_ids)]), v_below, p_limit) d;
      v_count := (select sum(m.m) from unnest(v_dropped.o_messages) as m (m));
      perform queen.upkeep_note_v1(v_l.run_id, v_q.name, 'completed', v_count);
      o_removed := o_removed + v_count;
    end if;
    v_unfinished := coalesce(v_names[array_position(v_dropped.o_more, true)], v_unfinished);
  end if;

  if v_unfinished is not null then
    v_l.at_partition := coalesce((
      select p.name
      from queen.partitions p
      where p.queue_id = v_q.id and p.shard = p_shard and p.name < v_unfinished
      order by p.name desc
      limit 1), '');
  else
    v_l.at_partition := case when v_seen = p_partitions then v_last end;
  end if;
  update queen.upkeep_leases l
  set at_queue = v_l.at_queue, at_partition = v_l.at_partition,
      at_unnamed = case when v_l.at_partition is not null then v_l.at_unnamed end
  where l.job = v_l.job;
end
$$;
