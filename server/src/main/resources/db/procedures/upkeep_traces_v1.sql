-- revision: 2
-- A step of the removal of traces whose message was removed: see trim_traces_v1. Rule 'traces'.
--
-- Called by: the broker.
-- Locks: the job, then as drop_traces_v1.
create or replace function queen.upkeep_traces_v1(
  p_shard smallint,
  p_token bigint,
  p_lease interval,
  p_partitions integer,
  p_limit integer,
  out o_state text,
  out o_removed bigint
)
language plpgsql
set enable_seqscan = off
set jit = off
as $$
declare
  v_l queen.upkeep_leases := queen.upkeep_hold_v1('traces', p_token, p_lease);
  v_page record;
begin
  o_removed := 0;
  if v_l.job is null then
    o_state := 'lost';
    return;
  end if;
  select t.* into v_page from queen.trim_traces_v1(p_shard, v_l.at_id, p_partitions, p_limit) t;
  o_removed := v_page.o_removed;
  perform queen.upkeep_note_v1(v_l.run_id, '', 'traces', o_removed);
  o_state := case when v_page.o_last is null then 'done' else 'more' end;
  update queen.upkeep_leases l set at_id = v_page.o_last where l.job = v_l.job;
end
$$;
