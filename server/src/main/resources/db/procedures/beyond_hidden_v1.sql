-- revision: 2
-- Where a group that starts at an offset of a partition really is: messages that are hidden from it count as done.
-- Answers committed and acked of its cursor. In SQL and without settings of its own, so that PostgreSQL inlines it into
-- the query that calls it.
--
-- Called by: group_offsets_v1, open_cursors_v1, reconcile_v1, resources_partitions_v1, seek_v1.
-- Locks: none.
create or replace function queen.beyond_hidden_v1(p_shard smallint, p_partition_id uuid, p_group text, p_start bigint)
returns table (committed bigint, acked int8multirange)
language sql
stable
as $$
  select c.committed, h.ranges - int8multirange(int8range(null, c.committed))
  from (
    select coalesce(range_agg(int8range(h.message_offset, h.message_offset + 1)), '{}') as ranges
    from queen.hidden h
    where h.shard = p_shard and h.partition_id = p_partition_id and h.message_offset >= p_start
      and h.only_group is distinct from p_group
  ) h
  cross join lateral (
    select coalesce((select upper(r.r) from unnest(h.ranges) as r (r) where p_start <@ r.r), p_start) as committed
  ) c
$$;
