-- revision: 1
-- Where a group that starts at an offset of a partition really stands: what is hidden from it is done. Answers what
-- committed and acked of its cursor are.
-- In SQL and without settings of its own, so that it becomes a part of the query that asks.
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
