-- revision: 2
-- A step of eviction: a page of partitions of a queue with maxWaitTimeSeconds (evict_v1). Before the first page of a
-- queue it is found out, in pages as well, whether consumers without a group read it. Rule 'eviction'.
--
-- Called by: the broker.
-- Locks: the job, then as evict_v1.
create or replace function queen.upkeep_eviction_v1(
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
  v_l queen.upkeep_leases := queen.upkeep_hold_v1('eviction', p_token, p_lease);
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
  where q.max_wait_time_seconds > 0
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

  if v_l.at_unnamed is null then
    select u.o_reads, case when u.o_reads is null then u.o_last else '' end into v_l.at_unnamed, v_l.at_partition
    from queen.upkeep_unnamed_v1(p_shard, v_q.id, v_l.at_partition, p_partitions) u;
  else
    select e.* into v_page
    from queen.evict_v1(p_shard, v_q.id, v_l.at_partition, v_l.at_unnamed, p_partitions, p_limit) e;
    perform queen.upkeep_note_v1(v_l.run_id, v_q.name, 'eviction', v_page.o_removed);
    o_removed := v_page.o_removed;
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
