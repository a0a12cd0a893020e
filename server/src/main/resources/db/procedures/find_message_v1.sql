-- revision: 2
-- The offsets of a transaction id in a partition, ascending, among its newest p_reach messages: there is no index by
-- transaction id, so this is a bounded search.
--
-- Called by: dead_letter_message_v1, delete_message_v1, message_v1.
-- Locks: none.
create or replace function queen.find_message_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_transaction_id text,
  p_reach bigint
) returns bigint[]
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  return array(
    select s.base_offset + i.n - 1
    from queen.partitions p
    cross join lateral (
      select s.base_offset, s.transaction_ids
      from queen.segments s
      where s.shard = p_shard and s.partition_id = p_partition_id
        and s.base_offset >= greatest(p.first_offset, p.next_offset - p_reach)
        and p_transaction_id = any (s.transaction_ids)
      offset 0
    ) s
    cross join lateral unnest(s.transaction_ids) with ordinality as i (transaction_id, n)
    where p.shard = p_shard and p.id = p_partition_id and i.transaction_id = p_transaction_id
    order by 1);
end
$$;
