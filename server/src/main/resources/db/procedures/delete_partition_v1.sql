-- revision: 2
-- Removes a partition, at once and for everybody; what hung on it is removed by sweep_v1, in pieces. Answers its id, null if
-- there is none. Where groups start in a partition of that name stays recorded: the next one may be theirs too.
-- Noted as what upkeep removes is, in a run of zeros. Locks: the partition, as push does; then the note.
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
