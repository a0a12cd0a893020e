-- revision: 2
-- A step of retention: a page of partitions of a queue that has asked for it (retain_v1). Before the first page of a
-- queue with completedRetentionSeconds it is found out, in pages as well, whether consumers without a group read it.
-- Rules 'retention' and 'completed'.
--
-- Called by: the broker.
-- Locks: the job, then as retain_v1.
create or replace function queen.upkeep_retention_v1(
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
  v_l queen.upkeep_leases := queen.upkeep_hold_v1('retention', p_token, p_lease);
  v_q queen.queues;
  v_page record;
begin
  o_removed := 0;
  if v_l.job is null then
    o_state := 'lost';
    return;
  end if;
  o_state := 'more';
  select q.* into v_q
  from queen.queues q
  where q.retention_enabled and (q.retention_seconds > 0 or q.completed_retention_seconds > 0)
    and (v_l.at_queue is null or q.name > v_l.at_queue or (q.name = v_l.at_queue and v_l.at_partition is not null))
  order by q.name
  limit 1;
  if not found then
    o_state := 'done';
    return;
  end if;
  if v_l.at_queue is distinct from v_q.name or v_l.at_partition is null then
    v_l.at_queue := v_q.name;
    v_l.at_partition := '';
    v_l.at_unnamed := null;
  end if;

  if v_q.completed_retention_seconds > 0 and v_l.at_unnamed is null then
    select u.o_reads, case when u.o_reads is null then u.o_last else '' end into v_l.at_unnamed, v_l.at_partition
    from queen.upkeep_unnamed_v1(p_shard, v_q.id, v_l.at_partition, p_partitions) u;
  else
    select r.* into v_page
    from queen.retain_v1(p_shard, v_q.id, v_l.at_partition, v_l.at_unnamed, p_partitions, p_limit) r;
    perform queen.upkeep_note_v1(v_l.run_id, v_q.name, 'retention', v_page.o_expired);
    perform queen.upkeep_note_v1(v_l.run_id, v_q.name, 'completed', v_page.o_completed);
    o_removed := v_page.o_expired + v_page.o_completed;
    v_l.at_partition := v_page.o_last;
    if v_l.at_partition is null then
      v_l.at_unnamed := null;
    end if;
  end if;
  update queen.upkeep_leases l
  set at_queue = v_l.at_queue, at_partition = v_l.at_partition, at_unnamed = v_l.at_unnamed
  where l.job = v_l.job;
end
$$;
