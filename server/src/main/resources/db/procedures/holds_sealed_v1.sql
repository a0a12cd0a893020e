-- revision: 3
-- Whether there are encrypted messages among these offsets of a partition, or plain ones that had to be encrypted:
-- younger than p_sealed_since, which is null for a queue that is not encrypted.
--
-- Called by: pop_v1.
-- Locks: none.
create or replace function queen.holds_sealed_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_from bigint,
  p_to bigint,
  p_sealed_since timestamptz
) returns boolean
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  return exists (
    select
    from queen.segments s
    where s.shard = p_shard and s.partition_id = p_partition_id
      and s.base_offset >= coalesce((
        select b.base_offset
        from queen.segments b
        where b.shard = p_shard and b.partition_id = p_partition_id and b.base_offset <= p_from
        order by b.base_offset desc
        limit 1), p_from)
      and s.base_offset < p_to
      and (s.encrypted or s.created_at > p_sealed_since));
end
$$;
