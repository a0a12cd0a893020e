-- revision: 3
-- Removes a partition, at once and for all groups; sweep_v1 removes its rows in other tables, in pieces. Answers its
-- id, null if there is none. Subscriptions to a partition of that name stay: they apply to the next one. Recorded like
-- a removal by upkeep, under a run id of zeros.
--
-- Called by: the broker.
-- Locks: the partition, as a push does; then the row of upkeep_removed.
create or replace function queen.delete_partition_v1(p_shard smallint, p_queue text, p_partition text)
returns uuid
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_id uuid := queen.partition_id_v1(p_shard, p_queue, p_partition);
begin
  delete from queen.partitions p where p.shard = p_shard and p.id = v_id returning p.id into v_id;
  if v_id is not null then
    perform queen.upkeep_note_v1('00000000-0000-0000-0000-000000000000', p_queue, 'partitions', 1);
  end if;
  return v_id;
end
$$;
