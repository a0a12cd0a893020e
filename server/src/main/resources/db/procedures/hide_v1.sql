-- revision: 4
-- Hides messages from all groups, or (p_only_groups) from all groups but one. They become done in every cursor of their
-- partitions that exists; cursors made later read it from the table (beyond_hidden_v1). A lease of which everything is
-- done now ends, as if it were acked: o_ended_*.
--
-- Called by: delete_message_v1, redrive_v1.
-- Locks: none beyond those of the caller: hiding, alone; the partitions; their cursors.
create or replace function queen.hide_v1(
  p_shard smallint,
  p_partition_ids uuid[],
  p_offsets bigint[],
  p_only_groups text[],
  out o_ended_ids uuid[],
  out o_ended_groups text[]
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_custom_plan  -- one message or a hundred thousand
set jit = off
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
as $$
begin
  insert into queen.hidden (shard, partition_id, message_offset, only_group)
  select p_shard, u.id, u.o, u.only_group
  from unnest(p_partition_ids, p_offsets, p_only_groups) as u (id, o, only_group)
  on conflict (shard, partition_id, message_offset) do update set only_group = excluded.only_group;

  with ranges as materialized (
    select g.id, g.only_group, unnest(g.ranges) as r
    from (
      select u.id, u.only_group, range_agg(int8range(u.o, u.o + 1)) as ranges
      from unnest(p_partition_ids, p_offsets, p_only_groups) as u (id, o, only_group)
      group by u.id, u.only_group
    ) g
  ), marked as (
    select c.ctid as row_id, greatest(c.committed, p.first_offset) as committed, c.leased, c.lease_id,
           c.acked + range_agg(h.r) as acked
    from queen.cursors c
    join queen.partitions p on p.shard = p_shard and p.id = c.partition_id
    join ranges h on h.id = c.partition_id and h.only_group is distinct from c.consumer_group
    where c.shard = p_shard and c.partition_id = any (p_partition_ids)
    group by c.ctid, c.committed, p.first_offset, c.leased, c.lease_id, c.acked
  ), moved as (
    select m.row_id, m.lease_id, m.leased, m.acked, n.committed
    from marked m
    cross join lateral (
      select coalesce(
        (select upper(r.r) from unnest(m.acked) as r (r) where m.committed <@ r.r), m.committed) as committed
    ) n
  ), ending as (
    select m.row_id, m.committed, m.acked - int8multirange(int8range(null, m.committed)) as acked,
           m.lease_id is not null
             and isempty(m.leased - m.acked - int8multirange(int8range(null, m.committed))) as ended
    from moved m
  ), written as (
    update queen.cursors c
    set committed = e.committed, acked = e.acked,
        lease_id = case when not e.ended then c.lease_id end,
        lease_expires_at = case when not e.ended then c.lease_expires_at end,
        leased = case when e.ended then '{}' else c.leased end,
        batch_cap = case when not e.ended then c.batch_cap when c.batch_cap <= 1024 then c.batch_cap * 2 end
    from ending e
    where c.shard = p_shard and c.ctid = e.row_id
    returning c.partition_id, c.consumer_group, e.ended
  )
  select coalesce(array_agg(w.partition_id), '{}'), coalesce(array_agg(w.consumer_group), '{}')
  into o_ended_ids, o_ended_groups
  from written w
  where w.ended;
end
$$;
