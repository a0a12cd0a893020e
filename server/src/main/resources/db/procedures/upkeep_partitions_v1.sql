-- revision: 4
-- A step of the removal of unused partitions: of the next p_partitions, by id, those that hold no messages, no dead
-- letters and no state of a stream, and in which nothing has happened for p_days, neither an append nor a group's
-- consumption or first contact. State stays, because the next partition of that name has another id: its stream would
-- start from nothing. A push at the same moment wins, or comes after: it waits for the partition, finds it gone and
-- makes a new one by its name. o_queues and o_partitions are pairs: what was removed. Their rows in other tables are
-- left to the job 'orphans', because a cycle holds its lane while it waits for partitions. Rule 'partitions'.
--
-- Called by: the broker.
-- Locks: the job, then partitions in id order, skipped if locked.
create or replace function queen.upkeep_partitions_v1(
  p_shard smallint,
  p_token bigint,
  p_lease interval,
  p_days integer,
  p_partitions integer,
  out o_state text,
  out o_removed bigint,
  out o_queues text[],
  out o_partitions text[]
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_l queen.upkeep_leases := queen.upkeep_hold_v1('partitions', p_token, p_lease);
  v_before timestamptz := clock_timestamp() - make_interval(days => p_days);
  v_seen integer;
  v_last uuid;
  v_ids uuid[];
  v_q record;
begin
  o_removed := 0;
  if v_l.job is null then
    o_state := 'lost';
    return;
  end if;
  select count(*), (array_agg(w.id order by w.id desc))[1], array_agg(w.id order by w.id) filter (where w.idle)
  into v_seen, v_last, v_ids
  from (
    select p.id, p.first_offset = p.next_offset and greatest(p.created_at, p.last_append_at) < v_before as idle
    from queen.partitions p
    where p.shard = p_shard and p.id > coalesce(v_l.at_id, '00000000-0000-0000-0000-000000000000')
    order by p.id
    limit p_partitions
  ) w;

  if v_ids is not null then
    v_ids := array(
      select p.id
      from unnest(v_ids) as u (id)
      cross join lateral (
        select p.id
        from queen.partitions p
        where p.shard = p_shard and p.id = u.id
          and p.first_offset = p.next_offset and greatest(p.created_at, p.last_append_at) < v_before
        for update skip locked
      ) p);
    -- A statement of its own, which sees what was committed before the locks were had.
    v_ids := array(
      select p.id
      from unnest(v_ids) as u (id)
      cross join lateral (
        select p.id
        from queen.partitions p
        where p.shard = p_shard and p.id = u.id
          and p.first_offset = p.next_offset and greatest(p.created_at, p.last_append_at) < v_before
        offset 0
      ) p
      where not exists (select from queen.segments s where s.shard = p_shard and s.partition_id = p.id)
        and not exists (select from queen.dead_letters d where d.shard = p_shard and d.partition_id = p.id)
        and not exists (  -- by the lanes, whose key begins with the partition
          select
          from queen.stream_lanes l
          cross join lateral (
            select from queen.stream_state s
            where s.shard = p_shard and s.query_id = l.query_id and s.partition_id = l.partition_id
            limit 1
          ) s
          where l.shard = p_shard and l.partition_id = p.id)
        and not exists (
          select from queen.cursors c
          where c.shard = p_shard and c.partition_id = p.id
            and greatest(c.opened_at, c.last_consumed_at, c.lease_expires_at) >= v_before));
    if cardinality(v_ids) > 0 then
      with gone as (
        delete from queen.partitions p where p.shard = p_shard and p.id = any (v_ids) returning p.queue_id, p.name
      )
      select array_agg(q.name order by q.name, g.name), array_agg(g.name order by q.name, g.name)
      into o_queues, o_partitions
      from gone g
      join queen.queues q on q.id = g.queue_id;
      o_removed := cardinality(v_ids);
      for v_q in select u.queue, count(*) as removed from unnest(o_queues) as u (queue) group by u.queue loop
        perform queen.upkeep_note_v1(v_l.run_id, v_q.queue, 'partitions', v_q.removed);
      end loop;
    end if;
  end if;

  o_state := case when v_seen = p_partitions then 'more' else 'done' end;
  update queen.upkeep_leases l set at_id = v_last where l.job = v_l.job and v_last is not null;
end
$$;
