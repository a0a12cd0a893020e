-- revision: 2
-- Records what a step removes, in its transaction.
--
-- Called by: delete_partition_v1, upkeep_dead_letters_v1, upkeep_eviction_v1, upkeep_history_v1, upkeep_orphans_v1,
-- upkeep_partitions_v1, upkeep_retention_v1, upkeep_traces_v1.
-- Locks: the row of upkeep_removed.
create or replace function queen.upkeep_note_v1(p_run_id uuid, p_queue text, p_rule text, p_removed bigint)
returns void
language plpgsql
as $$
begin
  if p_removed > 0 then
    insert into queen.upkeep_removed as r (bucket, run_id, queue, rule, removed, events)
    values (date_trunc('minute', clock_timestamp(), 'UTC'), p_run_id, p_queue, p_rule, p_removed, 1)
    on conflict (bucket, run_id, queue, rule) do update
    set removed = r.removed + excluded.removed, events = r.events + 1;
  end if;
end
$$;
