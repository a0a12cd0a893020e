-- revision: 2
-- Finds messages by transaction id within given offsets of their partitions. A slot is a partition with the offsets to
-- search; p_slots[i] says where to look for p_transaction_ids[i]. Answers the offsets, null where not found. Where an
-- id occurs several times (deduplication is off or its window has passed), the first that is not in p_done is meant;
-- the second search for it means the next one. No nested loops: both sides are unnested arrays, and their product would
-- be quadratic.
--
-- Called by: apply_statuses_v1, record_trace_v1, stream_ack_v1.
-- Locks: none.
create or replace function queen.locate_v1(
  p_shard smallint,
  p_ids uuid[],
  p_ranges int8multirange[],
  p_done int8multirange[],
  p_slots integer[],
  p_transaction_ids text[]
) returns bigint[]
language plpgsql
set enable_seqscan = off
set enable_nestloop = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_offsets bigint[];
  v_repeated boolean;
begin
  with stored as materialized (
    select l.slot, i.transaction_id, s.base_offset + i.n - 1 as o
    from rows from (unnest(p_ids), unnest(p_ranges)) with ordinality as l (id, ranges, slot)
    cross join lateral (select lower(r.r) as low, upper(r.r) as high from unnest(l.ranges) as r (r)) r
    cross join lateral (
      select s.base_offset, s.transaction_ids
      from queen.segments s
      where s.shard = p_shard and s.partition_id = l.id
        and s.base_offset >= coalesce((
          select b.base_offset
          from queen.segments b
          where b.shard = p_shard and b.partition_id = l.id and b.base_offset <= r.low
          order by b.base_offset desc
          limit 1), r.low)
        and s.base_offset < r.high
      offset 0
    ) s
    cross join lateral unnest(s.transaction_ids) with ordinality as i (transaction_id, n)
    where s.base_offset + i.n - 1 >= r.low and s.base_offset + i.n - 1 < r.high
  )
  select array_agg(f.o order by a.n), coalesce(bool_or(f.times > 1), false) into v_offsets, v_repeated
  from rows from (unnest(p_slots), unnest(p_transaction_ids)) with ordinality as a (slot, transaction_id, n)
  left join (
    select s.slot, s.transaction_id, min(s.o) as o, count(*) as times from stored s group by 1, 2
  ) f on f.slot = a.slot and f.transaction_id = a.transaction_id;

  if v_repeated then
    with stored as materialized (
      select l.slot, i.transaction_id, s.base_offset + i.n - 1 as o,
             row_number() over (
               partition by l.slot, i.transaction_id
               order by (s.base_offset + i.n - 1) <@ p_done[l.slot], s.base_offset + i.n - 1) as turn
      from rows from (unnest(p_ids), unnest(p_ranges)) with ordinality as l (id, ranges, slot)
      cross join lateral (select lower(r.r) as low, upper(r.r) as high from unnest(l.ranges) as r (r)) r
      cross join lateral (
        select s.base_offset, s.transaction_ids
        from queen.segments s
        where s.shard = p_shard and s.partition_id = l.id
          and s.base_offset + s.message_count > r.low and s.base_offset < r.high
        offset 0
      ) s
      cross join lateral unnest(s.transaction_ids) with ordinality as i (transaction_id, n)
      where s.base_offset + i.n - 1 >= r.low and s.base_offset + i.n - 1 < r.high
    )
    select array_agg(coalesce(f.o, v_offsets[a.n]) order by a.n) into v_offsets
    from (
      select u.slot, u.transaction_id, u.n,
             row_number() over (partition by u.slot, u.transaction_id order by u.n) as turn
      from rows from (unnest(p_slots), unnest(p_transaction_ids)) with ordinality as u (slot, transaction_id, n)
    ) a
    left join stored f on f.slot = a.slot and f.transaction_id = a.transaction_id and f.turn = a.turn;
  end if;
  return v_offsets;
end
$$;
