-- revision: 1
-- Writes down what a step removes, in its transaction.
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
