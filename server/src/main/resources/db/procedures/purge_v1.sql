-- revision: 4
-- Removes dead letters of a queue for good: at most p_limit of a selection (see selected_dead_letters_v1). Answers how
-- many were removed; fewer than p_limit: no more are left. One that another transaction is writing is skipped.
--
-- Called by: the broker.
-- Locks: dead letters, which are never waited for.
create or replace function queen.purge_v1(
  p_shard smallint,
  p_queue text,
  p_partition text,
  p_group text,
  p_from timestamptz,
  p_until timestamptz,
  p_transaction_ids text[],
  p_limit integer,
  out o_found boolean,
  out o_selected integer,
  out o_purged integer
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_custom_plan  -- the selection decides
set jit = off
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
as $$
declare
  v_queue_id uuid := (select q.id from queen.queues q where q.name = p_queue);
  v_ids uuid[];
  v_groups text[];
  v_offsets bigint[];
begin
  o_found := v_queue_id is not null;
  select coalesce(array_agg((w.l).partition_id), '{}'), array_agg((w.l).consumer_group), array_agg((w.l).message_offset)
  into v_ids, v_groups, v_offsets
  from (
    select s.letter as l
    from queen.selected_dead_letters_v1(
      p_shard, v_queue_id, p_partition, null, p_group, p_from, p_until, p_transaction_ids) s
    where o_found
    limit p_limit
  ) w;
  o_selected := cardinality(v_ids);
  delete from queen.dead_letters d
  where d.shard = p_shard and d.ctid = any (array(
    select d.ctid
    from unnest(v_ids, v_groups, v_offsets) as u (id, consumer_group, o)
    join queen.dead_letters d
      on d.shard = p_shard and d.partition_id = u.id and d.consumer_group = u.consumer_group and d.message_offset = u.o
    for update of d skip locked));
  get diagnostics o_purged = row_count;
end
$$;
