-- revision: 4
-- Removes the oldest segments of partitions, whole, as long as they were written before a moment and lie below an
-- offset (one of each per partition); before them those below the first offset, which a clear that was interrupted has
-- left (clear_v1). At most p_limit segments in all. Answers per partition, in the order given, how many messages were
-- removed, without cleared ones (o_messages), and whether the limit left some that should be (o_more). Cursors below
-- the new first offset continue from there. The cost grows with what is removed.
--
-- Called by: the broker, evict_v1, retain_v1.
-- Locks: partitions, in id order.
create or replace function queen.drop_segments_v1(
  p_shard smallint,
  p_partition_ids uuid[],
  p_before timestamptz[],
  p_below bigint[],
  p_limit integer,
  out o_messages bigint[],
  out o_more boolean[]
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_places integer[];
  v_rows tid[];
  v_first bigint[];
  v_to bigint[];     -- the new first offsets
  v_below bigint[];  -- segments below are removed
  v_left integer := p_limit;
  v_rows_written integer;
  v_s record;
begin
  o_messages := array_fill(0::bigint, array[cardinality(p_partition_ids)]);
  o_more := array_fill(false, array[cardinality(p_partition_ids)]);
  select array_agg(u.n), array_agg(p.row_id), array_agg(p.first_offset) into v_places, v_rows, v_first
  from (
    select u.id, u.n::integer as n
    from unnest(p_partition_ids) with ordinality as u (id, n)
    order by u.id
    offset 0
  ) u
  cross join lateral (
    select p.ctid as row_id, p.first_offset
    from queen.partitions p
    where p.shard = p_shard and p.id = u.id
    for no key update
  ) p;
  v_to := v_first;
  v_below := array_fill(0::bigint, array[coalesce(cardinality(v_first), 0)]);

  for i in 1 .. coalesce(cardinality(v_places), 0) loop
    -- created_at never decreases along a partition: behind the first that stays, all stay.
    for v_s in
      select s.base_offset + s.message_count as end_offset, s.created_at
      from queen.segments s
      where s.shard = p_shard and s.partition_id = p_partition_ids[v_places[i]]
      order by s.base_offset
    loop
      exit when v_s.end_offset > v_first[i]
        and (v_s.created_at >= p_before[v_places[i]] or v_s.end_offset > p_below[v_places[i]]);
      if v_left <= 0 then
        o_more[v_places[i]] := true;
        exit;
      end if;
      v_to[i] := greatest(v_first[i], v_s.end_offset);
      v_below[i] := v_s.end_offset;
      v_left := v_left - 1;
    end loop;
    o_messages[v_places[i]] := v_to[i] - v_first[i];
  end loop;

  if v_left = p_limit then
    return;
  end if;
  delete from queen.segments s
  where s.shard = p_shard and s.ctid = any (array(
    select d.row_id
    from unnest(v_places, v_below) as u (n, below)
    cross join lateral (
      select s.ctid as row_id
      from queen.segments s
      where s.shard = p_shard and s.partition_id = p_partition_ids[u.n] and s.base_offset < u.below
      offset 0
    ) d));
  delete from queen.hidden h
  using unnest(v_places, v_to) as u (n, to_offset)
  where h.shard = p_shard and h.partition_id = p_partition_ids[u.n] and h.message_offset < u.to_offset;
  update queen.partitions p
  set first_offset = u.to_offset
  from unnest(v_rows, v_first, v_to) as u (row_id, first_offset, to_offset)
  where p.shard = p_shard and p.ctid = u.row_id and u.to_offset > u.first_offset;
  get diagnostics v_rows_written = row_count;
  if v_rows_written <> (select count(*) from unnest(v_first, v_to) as u (f, t) where u.t > u.f) then
    raise exception 'wrote % partitions', v_rows_written using errcode = 'serialization_failure';
  end if;
end
$$;
