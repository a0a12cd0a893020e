-- revision: 2
-- A step of the removal of old history: of the tables given (of the schema queen), at most p_limit rows each whose
-- column is older than p_days. The names come from the broker's code, never from a request. Rule 'history'.
--
-- Called by: the broker.
-- Locks: the job, then the rows that are removed.
create or replace function queen.upkeep_history_v1(
  p_token bigint,
  p_lease interval,
  p_tables text[],
  p_columns text[],
  p_days integer[],
  p_limit integer,
  out o_state text,
  out o_removed bigint
)
language plpgsql
set jit = off
as $$
declare
  v_l queen.upkeep_leases := queen.upkeep_hold_v1('history', p_token, p_lease);
  v_rows bigint;
begin
  o_removed := 0;
  if v_l.job is null then
    o_state := 'lost';
    return;
  end if;
  o_state := 'done';
  for i in 1 .. cardinality(p_tables) loop
    execute format(
      'delete from queen.%1$I t where t.ctid = any (array(
         select t.ctid from queen.%1$I t where t.%2$I < $1 order by t.%2$I limit $2))', p_tables[i], p_columns[i])
    using clock_timestamp() - make_interval(days => p_days[i]), p_limit;
    get diagnostics v_rows = row_count;
    o_removed := o_removed + v_rows;
    if v_rows = p_limit then
      o_state := 'more';
    end if;
  end loop;
  perform queen.upkeep_note_v1(v_l.run_id, '', 'history', o_removed);
end
$$;
