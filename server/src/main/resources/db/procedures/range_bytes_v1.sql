-- revision: 2
-- The bytes of the messages [p_low, p_high) of a partition in an answer: see fitting_v1.
--
-- Called by: pop_v1.
-- Locks: none.
create or replace function queen.range_bytes_v1(p_shard smallint, p_partition_id uuid, p_low bigint, p_high bigint)
returns bigint
language plpgsql
stable
set plan_cache_mode = force_generic_plan
as $$
begin
  return (select f.o_all from queen.fitting_v1(p_shard, p_partition_id, p_low, p_high, 0) f);
end
$$;
