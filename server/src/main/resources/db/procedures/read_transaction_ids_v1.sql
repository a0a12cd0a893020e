-- revision: 1
-- The transaction ids of a partition from an offset on, a page at a time, for a broker that loads its deduplication
-- window. What is appended meanwhile is left to the push that follows.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.read_transaction_ids_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_from bigint,
  p_segments integer
) returns table (base_offset bigint, transaction_ids text[])
language plpgsql
stable
set enable_seqscan = off
as $$
begin
  return query
    select s.base_offset, s.transaction_ids
    from queen.segments s
    where s.shard = p_shard and s.partition_id = p_partition_id and s.base_offset >= p_from
    order by s.base_offset
    limit p_segments;
end
$$;
