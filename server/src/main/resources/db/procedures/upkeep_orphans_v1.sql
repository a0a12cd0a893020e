-- revision: 5
-- A step of the removal of queues that are marked as deleted, which a broker that stopped may have left (see
-- delete_marked_v1), and then of the rows of partitions that no longer exist: see orphans_v1 and sweep_v1. At the end,
-- subscriptions of groups to queues that do not exist are removed a week after they were made: polls leave them. Rule
-- 'orphans'.
--
-- Called by: the broker.
-- Locks: the job; then as delete_marked_v1 or sweep_v1; or subscriptions, in key order.
create or replace function queen.upkeep_orphans_v1(
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
  v_l queen.upkeep_leases := queen.upkeep_hold_v1('orphans', p_token, p_lease);
  v_page record;
begin
  o_removed := 0;
  if v_l.job is null then
    o_state := 'lost';
    return;
  end if;
  o_state := 'more';
  select m.o_partition_ids, m.o_more into v_page from queen.delete_marked_v1(p_shard, p_partitions) m;
  if v_page.o_more then
    o_removed := cardinality(v_page.o_partition_ids);
    perform queen.upkeep_note_v1(v_l.run_id, '', 'orphans', o_removed);
    return;
  end if;
  select o.* into v_page from queen.orphans_v1(p_shard, v_l.at_id, p_partitions) o;
  if cardinality(v_page.o_partition_ids) > 0 then
    o_removed := queen.sweep_v1(p_shard, v_page.o_partition_ids, p_limit);
    perform queen.upkeep_note_v1(v_l.run_id, '', 'orphans', o_removed);
  end if;
  if o_removed > 0 then
    return;  -- there may be more of them
  end if;
  if v_page.o_last is null then
    delete from queen.subscriptions s
    where s.shard = p_shard and s.ctid = any (array(
      select s.ctid
      from queen.subscriptions s
      where s.shard = p_shard and s.created_at < clock_timestamp() - interval '7 days'
        and not exists (select from queen.queues q where q.name = s.queue)
      order by s.queue, s.consumer_group, s.partition
      limit p_limit
      for update));
    get diagnostics o_removed = row_count;
    if o_removed > 0 then
      perform queen.upkeep_note_v1(v_l.run_id, '', 'orphans', o_removed);
      return;
    end if;
    o_state := 'done';
  end if;
  update queen.upkeep_leases l set at_id = v_page.o_last where l.job = v_l.job;
end
$$;
