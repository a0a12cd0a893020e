-- revision: 1
-- Moves a message to the dead letters of a group, as an ack with status "dlq" does, whether it is leased or not; of
-- several with the transaction id the oldest that the group has not done. o_found is false if there is none.
-- o_released: the group has no lease left on the partition.
--
-- Called by: the broker.
-- Locks: hiding (shared), if the group has no cursor; the group's cursor.
create or replace function queen.dead_letter_message_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_transaction_id text,
  p_group text,
  p_error text,
  p_reach bigint,
  out o_found boolean,
  out o_queue text,
  out o_partition text,
  out o_released boolean
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_offsets bigint[] := queen.find_message_v1(p_shard, p_partition_id, p_transaction_id, p_reach);
  v_cursor record;
  v_offset bigint;
begin
  o_found := false;
  if cardinality(v_offsets) = 0 then
    return;
  end if;
  perform queen.open_cursors_v1(p_shard, array[p_partition_id], array[p_group]);
  perform from queen.cursors c
  where c.shard = p_shard and c.partition_id = p_partition_id and c.consumer_group = p_group
  for no key update;
  select greatest(c.committed, p.first_offset) as committed, c.acked into v_cursor
  from queen.cursors c
  join queen.partitions p on p.shard = p_shard and p.id = p_partition_id
  where c.shard = p_shard and c.partition_id = p_partition_id and c.consumer_group = p_group;
  select u.o into v_offset
  from unnest(v_offsets) as u (o)
  where u.o >= v_cursor.committed and not u.o <@ v_cursor.acked
  order by u.o
  limit 1;
  if v_offset is null then
    return;
  end if;
  select r.o_dead[1], r.o_queue[1], r.o_partition[1], r.o_released[1]
  into o_found, o_queue, o_partition, o_released
  from queen.ack_v1(
    p_shard, array[p_partition_id], array[p_group], array[1], array[null::uuid], array[null::text], array[v_offset],
    array[null::uuid], array['dlq'], array[p_error], null, array[1]) r;
end
$$;
