-- revision: 1
-- Undoes a pop with autoAck whose reply was lost: its messages are not done any more, and come again, in order and
-- before newer ones. If the pop has not happened, it will not: its id is recorded here, and pop_v1 fails when it cannot
-- record it itself. A pop that is under way is waited for. The tail reports that the partitions have something. Answers
-- how many partitions. Called again it does nothing.
--
-- Called by: the broker.
-- Locks: hiding, shared, so that what is hidden stays as it is read; the row of the pop's id; then cursors, in key
-- order. pop_v1 takes the row last, and does not ask for the lock on hiding while it has it.
create or replace function queen.undo_auto_pop_v1(p_shard smallint, p_pop_id uuid) returns integer
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_rows integer;
  v_pop queen.auto_pops;
  v_c record;
begin
  perform queen.hiding_lock_v1(p_shard, false);
  insert into queen.auto_pops (shard, pop_id, expires_at, partition_ids, ranges)
  values (p_shard, p_pop_id, clock_timestamp() + interval '10 minutes', '{}', '{}')
  on conflict (shard, pop_id) do nothing;
  get diagnostics v_rows = row_count;
  if v_rows > 0 then
    return 0;
  end if;

  select a.* into v_pop from queen.auto_pops a where a.shard = p_shard and a.pop_id = p_pop_id for update;
  if cardinality(v_pop.partition_ids) = 0 then
    return 0;
  end if;
  for v_c in
    select w.id, w.ranges, c.committed, c.acked
    from (
      -- What was cleared, removed or hidden meanwhile is not given back.
      select u.id, u.ranges - int8multirange(int8range(null, p.first_offset)) - coalesce(h.ranges, '{}') as ranges
      from unnest(v_pop.partition_ids, v_pop.ranges) as u (id, ranges)
      cross join lateral (
        select p.first_offset from queen.partitions p where p.shard = p_shard and p.id = u.id offset 0
      ) p
      cross join lateral (
        select range_agg(int8range(h.message_offset, h.message_offset + 1)) as ranges
        from queen.hidden h
        where h.shard = p_shard and h.partition_id = u.id
          and h.message_offset >= lower(u.ranges) and h.message_offset < upper(u.ranges)
          and h.only_group is distinct from v_pop.consumer_group
      ) h
      order by 1
      offset 0
    ) w
    cross join lateral (
      select c.committed, c.acked
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = w.id and c.consumer_group = v_pop.consumer_group
      for no key update
    ) c
    where not isempty(w.ranges)
  loop
    update queen.cursors c
    set committed = least(v_c.committed, lower(v_c.ranges)),
        acked = v_c.acked
          + int8multirange(int8range(least(v_c.committed, lower(v_c.ranges)), v_c.committed))
          - v_c.ranges
    where c.shard = p_shard and c.partition_id = v_c.id and c.consumer_group = v_pop.consumer_group;
  end loop;
  update queen.auto_pops a
  set partition_ids = '{}', ranges = '{}'
  where a.shard = p_shard and a.pop_id = p_pop_id;
  insert into queen.tail (shard, xid, appended_at, partition_ids)
  values (p_shard, pg_current_xact_id(), clock_timestamp(), v_pop.partition_ids);
  return cardinality(v_pop.partition_ids);
end
$$;
