-- revision: 4
-- Makes the cursor rows that do not exist yet for (partition, group) pairs, each where its group starts there: the
-- group's stored subscription for the partition, else for the queue, else the oldest message. What is hidden from the
-- group is done. Called before any cursor is locked, so that two callers never deadlock.
--
-- Called by: ack_v1, dead_letter_message_v1, evict_v1, first_contact_v1, seek_v1, stream_ack_v1.
-- Locks: hiding (shared), before all others, if a cursor is to be made; then the new cursors, in key order.
create or replace function queen.open_cursors_v1(
  p_shard smallint,
  p_partition_ids uuid[],
  p_groups text[]
) returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_hidden boolean;
begin
  -- Mostly they exist, and no lock is needed.
  if not exists (
    select
    from unnest(p_partition_ids, p_groups) as u (id, consumer_group)
    left join lateral (
      select true as known
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = u.id and c.consumer_group = u.consumer_group
      offset 0
    ) c on true
    where c.known is null
  ) then
    return;
  end if;
  perform queen.hiding_lock_v1(p_shard, false);
  v_hidden := exists (select from queen.hidden h where h.shard = p_shard);
  insert into queen.cursors (shard, partition_id, consumer_group, committed, started, acked)
  select p_shard, w.id, w.consumer_group, coalesce(h.committed, b.low), b.low, coalesce(h.acked, '{}')
  from (
    select distinct u.id, u.consumer_group collate "C" as consumer_group
    from unnest(p_partition_ids, p_groups) as u (id, consumer_group)
    order by 1, 2
    offset 0
  ) w
  cross join lateral (
    select p.name, p.queue_id, p.first_offset, p.next_offset
    from queen.partitions p
    where p.shard = p_shard and p.id = w.id
    offset 0
  ) p
  left join lateral (
    select s.started_at
    from queen.queues q
    cross join lateral (
      select s.started_at, s.partition
      from queen.subscriptions s
      where s.shard = p_shard and s.queue = q.name and s.consumer_group = w.consumer_group
        and s.partition in ('', p.name)
      order by s.partition desc
      limit 1
    ) s
    where q.id = p.queue_id
    offset 0
  ) s on true
  cross join lateral (
    select case
      when s.started_at is null then p.first_offset
      else queen.offset_after_v1(p_shard, w.id, p.first_offset, p.next_offset, s.started_at)
    end as low
    offset 0
  ) b
  left join lateral (
    select h.committed, h.acked from queen.beyond_hidden_v1(p_shard, w.id, w.consumer_group, b.low) h where v_hidden
  ) h on true
  on conflict (shard, partition_id, consumer_group) do nothing;
end
$$;
