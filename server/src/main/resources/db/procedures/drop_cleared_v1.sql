-- revision: 3
-- Removes segments below the first offset of their partition, which are not read any more: at most p_limit. Answers how
-- many were removed.
--
-- Called by: the broker, clear_v1.
-- Locks: partitions, in id order: of two calls that remove the same segments one waits for the other.
create or replace function queen.drop_cleared_v1(p_shard smallint, p_partition_ids uuid[], p_limit integer)
returns integer
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_rows integer;
begin
  perform from queen.partitions p
  where p.shard = p_shard and p.id = any (p_partition_ids)
  order by p.id
  for no key update;
  delete from queen.segments s
  where s.shard = p_shard and s.ctid = any (array(
    select s.row_id
    from queen.partitions p
    cross join lateral (
      select s.ctid as row_id
      from queen.segments s
      where s.shard = p_shard and s.partition_id = p.id and s.base_offset < p.first_offset
      offset 0
    ) s
    where p.shard = p_shard and p.id = any (p_partition_ids)
    limit p_limit));
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
