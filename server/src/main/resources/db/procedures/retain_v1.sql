-- revision: 3
-- Retention in a page of partitions of a queue, behind p_after by name; o_last is where the next page starts, null when
-- there is none. Removes whole segments,
--   older than retentionSeconds, read or not (o_expired messages);
--   older than completedRetentionSeconds and done by all groups (o_completed): below the lowest offset of all groups
--   that have a cursor on the partition or have subscribed to it, or would start there. Partitions that no group reads
--   are left alone by it. p_unnamed: consumers without a group read the queue (upkeep_unnamed_v1).
-- Nothing that a group has not done is ever behind its cursor, so no cursor has to be locked: a group that moves back
-- or subscribes while this runs finds what it would find a moment later.
--
-- A partition without anything old costs one look into the index of the segments, whatever it holds. At most p_limit
-- segments are removed by either rule; where more should be, the next page begins with that partition.
--
-- Called by: upkeep_retention_v1.
-- Locks: the queue, so that it is not deleted meanwhile: a partition that is changed twice, once by each rule, makes
-- PostgreSQL look for its queue; then partitions with something to remove, in id order.
create or replace function queen.retain_v1(
  p_shard smallint,
  p_queue_id uuid,
  p_after text,
  p_unnamed boolean,
  p_partitions integer,
  p_limit integer,
  out o_expired bigint,
  out o_completed bigint,
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
  v_old timestamptz;        -- what is older goes in any case
  v_done_old timestamptz;   -- what is older goes when all have done it
  v_seen integer;
  v_last text;              -- the last partition of the page
  v_ids uuid[];
  v_names text[];
  v_below bigint[];
  v_dropped record;
  v_unfinished text collate "C";
begin
  o_expired := 0;
  o_completed := 0;
  select q.* into v_q from queen.queues q where q.id = p_queue_id and q.retention_enabled for key share;
  if not found then
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
              where s.shard = p_shard and s.queue || '' = v_q.name and s.partition || '' in ('', p.name)
                and (s.partition <> '' or not exists (  -- a subscription to the one partition takes precedence
                  select from queen.subscriptions n
                  where n.shard = p_shard and n.queue = v_q.name and n.consumer_group = s.consumer_group
                    and n.partition = p.name))
                and not exists (
                  select from queen.cursors c
                  where c.shard = p_shard and c.partition_id = p.id and c.consumer_group = s.consumer_group)),
             case when p_unnamed and not exists (
               select from queen.cursors c
               where c.shard = p_shard and c.partition_id = p.id and c.consumer_group = '__QUEUE_MODE__')
             then p.first_offset end)
           end as below
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
    -- As many partitions as may go at most.
    if cardinality(v_ids) > p_limit then
      v_unfinished := v_names[p_limit + 1];
      v_ids := v_ids[: p_limit];
      v_below := v_below[: p_limit];
    end if;
    select d.* into v_dropped
    from queen.drop_segments_v1(
      p_shard, v_ids, array_fill(v_old, array[cardinality(v_ids)]),
      array_fill(9223372036854775807, array[cardinality(v_ids)]), p_limit) d;
    o_expired := (select sum(m.m) from unnest(v_dropped.o_messages) as m (m));
    if not true = any (v_dropped.o_more) and v_done_old > '-infinity' then
      select d.* into v_dropped
      from queen.drop_segments_v1(
        p_shard, v_ids, array_fill(v_done_old, array[cardinality(v_ids)]), v_below, p_limit) d;
      o_completed := (select sum(m.m) from unnest(v_dropped.o_messages) as m (m));
    end if;
    v_unfinished := coalesce(v_names[array_position(v_dropped.o_more, true)], v_unfinished);
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
