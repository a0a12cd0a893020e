-- revision: 1
-- The progress of groups at a moment in each partition that they read, without a look at any message.
--   opened      it has a cursor there; else it is counted from where open_cursors_v1 would make one
--   implied     no subscription says that it reads there: consumers without a group leave none, and once they have read
--               one partition of a queue, they read all of it
--   low         the first message that is stored and not done
--   lag         messages stored and not done, leased ones included
--   newest      only the newest message is left
--   lease_id    of the lease that one of its consumers holds
--   processing  messages leased and not done, while the lease is live
--   consumed    messages done since the group started there or was moved there by a seek
-- Of the partitions with an id above p_after and up to p_last. p_unnamed: the queues that consumers without a group
-- have read; null: find them, by a look at all of their cursors. In SQL and without settings of its own, so that
-- PostgreSQL inlines it into the query that calls it, which sets them.
--
-- Called by: group_lag_v1, statistics_step_v1.
-- Locks: none.
create or replace function queen.group_offsets_v1(
  p_shard smallint,
  p_now timestamptz,
  p_after uuid,
  p_last uuid,
  p_unnamed uuid[]
)
returns table (
  consumer_group text,
  queue_id uuid,
  queue text,
  partition text,
  partition_id uuid,
  first_offset bigint,
  next_offset bigint,
  last_append_at timestamptz,
  opened boolean,
  implied boolean,
  low bigint,
  lag bigint,
  newest boolean,
  lease_id uuid,
  processing bigint,
  consumed bigint,
  last_consumed_at timestamptz
)
language sql
stable
as $$
  select c.consumer_group, p.queue_id, q.name, p.name, p.id, p.first_offset, p.next_offset, p.last_append_at,
         true, false, b.low,
         p.next_offset - b.low - case
           when isempty(c.acked) then 0
           else queen.multirange_size_v1(c.acked * int8multirange(int8range(b.low, greatest(b.low, p.next_offset))))
         end,
         b.low = p.next_offset - 1,
         case when c.lease_expires_at > p_now then c.lease_id end,
         case when c.lease_expires_at > p_now
           then queen.multirange_size_v1(
             c.leased * int8multirange(int8range(b.low, greatest(b.low, p.next_offset))) - c.acked)
           else 0
         end,
         greatest(c.committed - c.started + case
           when isempty(c.acked) then 0 else queen.multirange_size_v1(c.acked) end, 0),
         c.last_consumed_at
  from queen.cursors c
  join queen.partitions p on p.shard = p_shard and p.id = c.partition_id
  join queen.queues q on q.id = p.queue_id
  cross join lateral (
    select case
      when isempty(c.acked) or p.first_offset <= c.committed then greatest(c.committed, p.first_offset)
      else coalesce((select upper(r.r) from unnest(c.acked) as r (r) where p.first_offset <@ r.r), p.first_offset)
    end as low
  ) b
  where c.shard = p_shard and c.partition_id > p_after and c.partition_id <= p_last
    and p.id > p_after and p.id <= p_last
  union all
  select u.consumer_group, u.queue_id, u.queue, u.partition, u.id, u.first_offset, u.next_offset, u.last_append_at,
         false, u.implied, v.low,
         u.next_offset - v.low - case
           when (select exists (select from queen.hidden h where h.shard = p_shard)) then (
             select count(*)
             from queen.hidden h
             where h.shard = p_shard and h.partition_id = u.id and h.message_offset >= v.low
               and h.only_group is distinct from u.consumer_group)
           else 0
         end,
         v.low = u.next_offset - 1, null, 0, 0, null
  from (
    select w.consumer_group, w.started_at, w.implied, p.queue_id, q.name as queue, p.name as partition, p.id,
           p.first_offset, p.next_offset, p.last_append_at
    from (
      select s.consumer_group, s.queue, s.started_at, false as implied
      from queen.subscriptions s
      where s.shard = p_shard and s.partition = ''
      union all
      select '__QUEUE_MODE__', q.name, null, true
      from (
        select k.queue_id from unnest(p_unnamed) as k (queue_id)
        union
        select p.queue_id
        from queen.cursors c
        join queen.partitions p on p.shard = p_shard and p.id = c.partition_id
        where p_unnamed is null and c.shard = p_shard and c.consumer_group = '__QUEUE_MODE__'
      ) r
      join queen.queues q on q.id = r.queue_id
    ) w
    join queen.queues q on q.name = w.queue
    join queen.partitions p on p.shard = p_shard and p.queue_id = q.id
    where p.id > p_after and p.id <= p_last and not exists (
      select from queen.subscriptions n
      where n.shard = p_shard and n.queue = w.queue and n.consumer_group = w.consumer_group and n.partition = p.name)
    union all
    select s.consumer_group, s.started_at, false, p.queue_id, q.name, p.name, p.id, p.first_offset, p.next_offset,
           p.last_append_at
    from queen.subscriptions s
    -- As expressions: those of subscriptions_by_partition, which serves a page of partitions.
    join queen.queues q on q.name = s.queue || ''
    join queen.partitions p on p.shard = p_shard and p.queue_id = q.id and p.name = s.partition || ''
    where s.shard = p_shard and s.partition <> '' and p.id > p_after and p.id <= p_last
  ) u
  cross join lateral (
    select case
      when u.started_at is null then u.first_offset
      when u.started_at >= u.last_append_at then u.next_offset
      when u.started_at < (  -- the usual case, and cheaper than the search
        select g.created_at
        from queen.segments g
        where g.shard = p_shard and g.partition_id = u.id and g.base_offset <= u.first_offset
        order by g.base_offset desc
        limit 1) then u.first_offset
      else queen.offset_after_v1(p_shard, u.id, u.first_offset, u.next_offset, u.started_at)
    end as low
    offset 0
  ) b
  cross join lateral (
    select case
      when (select exists (select from queen.hidden h where h.shard = p_shard))
        then (select h.committed from queen.beyond_hidden_v1(p_shard, u.id, u.consumer_group, b.low) h)
      else b.low
    end as low
    offset 0
  ) v
  where not exists (
    select from queen.cursors c
    where c.shard = p_shard and c.partition_id = u.id and c.consumer_group = u.consumer_group
      and c.partition_id > p_after and c.partition_id <= p_last)
$$;
