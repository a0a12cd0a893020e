-- revision: 1
-- Removes a partition, at once and for everybody; what hung on it is removed by sweep_v1, in pieces. Answers its id, null if
-- there is none. Where groups start in a partition of that name stays recorded: the next one may be theirs too.
-- Locks: the partition, as push does.
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
  return v_id;
end
$$;
