-- revision: 3
-- Deletes a message for all groups, at every offset of the partition that has its transaction id: it is hidden, its
-- content is erased, and its failures and dead letters are deleted. The same id may then be pushed again. Offsets stay
-- as they are, so the place stays empty until retention passes it. o_ended_groups: the groups whose lease ended because
-- this was the last message left of it.
--
-- Called by: the broker.
-- Locks: hiding, the partition, its cursors in key order, then the segments that change, in key order.
create or replace function queen.delete_message_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_transaction_id text,
  p_reach bigint,
  out o_found boolean,
  out o_queue text,
  out o_partition text,
  out o_ended_groups text[]
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  -- Looked for without a lock, since that may take a while, and looked at again with it.
  v_offsets bigint[] := queen.find_message_v1(p_shard, p_partition_id, p_transaction_id, p_reach);
  v_first bigint;
  v_rows integer;
begin
  o_found := false;
  o_ended_groups := '{}';
  perform queen.hiding_lock_v1(p_shard, true);
  select p.name, q.name, p.first_offset into o_partition, o_queue, v_first
  from queen.partitions p
  join queen.queues q on q.id = p.queue_id
  where p.shard = p_shard and p.id = p_partition_id
  for no key update of p;
  if not found then
    return;
  end if;
  v_offsets := array(
    select u.o
    from unnest(v_offsets) as u (o)
    cross join lateral (
      select s.base_offset, s.transaction_ids
      from queen.segments s
      where s.shard = p_shard and s.partition_id = p_partition_id and s.base_offset <= u.o
      order by s.base_offset desc
      limit 1
    ) s
    where u.o >= v_first and s.transaction_ids[u.o - s.base_offset + 1] = p_transaction_id
    order by u.o);

  -- Also when nothing is to be hidden: a transaction that dead-letters a message holds its cursor.
  perform queen.lock_cursors_v1(p_shard, array[p_partition_id]);
  if cardinality(v_offsets) > 0 then
    -- A statement of its own, because the next one reads what was committed before these locks were had:
    -- reseal_store_v1 seals payloads again without the lock of the partition, and must not be undone.
    perform
    from unnest(v_offsets) as u (o)
    cross join lateral (
      select s.base_offset
      from queen.segments s
      where s.shard = p_shard and s.partition_id = p_partition_id and s.base_offset <= u.o
      order by s.base_offset desc
      limit 1
      for no key update
    ) s;
    update queen.segments s
    set transaction_ids = w.transaction_ids, payloads = w.payloads, trace_ids = w.trace_ids,
        producer_subs = w.producer_subs
    from (
      select b.base_offset,
             array_agg(case when not i.goes then i.transaction_id end order by i.n) as transaction_ids,
             array_agg(case when i.goes then 'null' else i.payload end order by i.n) as payloads,
             case when b.trace_ids is not null then
               array_agg(case when not i.goes then i.trace_id end order by i.n) end as trace_ids,
             case when b.producer_subs is not null then
               array_agg(case when not i.goes then i.producer_sub end order by i.n) end as producer_subs
      from (
        select distinct on (g.base_offset) g.*
        from unnest(v_offsets) as u (o)
        cross join lateral (
          select s.*
          from queen.segments s
          where s.shard = p_shard and s.partition_id = p_partition_id and s.base_offset <= u.o
          order by s.base_offset desc
          limit 1
        ) g
      ) b
      cross join lateral (
        select m.*, m.transaction_id is not distinct from p_transaction_id as goes
        from rows from (unnest(b.transaction_ids), unnest(b.payloads), unnest(b.trace_ids), unnest(b.producer_subs))
          with ordinality as m (transaction_id, payload, trace_id, producer_sub, n)
      ) i
      group by b.base_offset, b.trace_ids, b.producer_subs
    ) w
    where s.shard = p_shard and s.partition_id = p_partition_id and s.base_offset = w.base_offset;

    select h.o_ended_groups into o_ended_groups
    from queen.hide_v1(
      p_shard, array_fill(p_partition_id, array[cardinality(v_offsets)]), v_offsets,
      array_fill(null::text, array[cardinality(v_offsets)])) h;
    delete from queen.attempts a
    where a.shard = p_shard and a.partition_id = p_partition_id and a.message_offset = any (v_offsets);
    perform queen.drop_traces_v1(
      p_shard, array_fill(p_partition_id, array[cardinality(v_offsets)]), v_offsets,
      array(select u.o + 1 from unnest(v_offsets) as u (o) order by u.o), 2147483647);
  end if;
  delete from queen.dead_letters d
  where d.shard = p_shard and d.partition_id = p_partition_id and d.transaction_id = p_transaction_id;
  get diagnostics v_rows = row_count;
  o_found := cardinality(v_offsets) > 0 or v_rows > 0;
end
$$;
