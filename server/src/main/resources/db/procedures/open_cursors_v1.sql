-- revision: 2
-- Makes the cursor rows that do not exist yet for (partition, group) pairs, each where its group starts there:
-- the group's stored subscription for the partition, else for the queue, else the oldest message. Inserts in key
-- order and is called before any cursor is locked, so that two callers never wait for each other in a ring.
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
begin
  insert into queen.cursors (shard, partition_id, consumer_group, committed, started)
  select p_shard, w.id, w.consumer_group, b.low, b.low
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
  on conflict (shard, partition_id, consumer_group) do nothing;
end
$$;
