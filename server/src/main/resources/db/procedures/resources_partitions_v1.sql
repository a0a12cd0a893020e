-- revision: 4
-- The progress of the partitions of a queue, or of all queues (p_queue_id null), by queue and name, a page of them:
-- p_limit null for all. The numbers are those of the group that is furthest behind, each for itself:
--   total       messages ever appended
--   pending     stored and not done, leased ones included; without any group, all that is stored
--   processing  leased and not done, while the lease is live
--   completed   neither pending nor dead; without any group, none
--   dead_letter messages that a group gave up on
--   consumed    messages done by all groups together, and last_consumed_at when one of them last acked
-- A group counts where it has a cursor, and where it has subscribed without one. With p_times also when the oldest
-- pending message was created. The cost grows with partitions and their groups, never with messages.
--
-- Called by: the broker, dashboard_lanes_v1, resources_overview_v1, resources_queues_v1.
-- Locks: none.
create or replace function queen.resources_partitions_v1(
  p_shard smallint,
  p_queue_id uuid,
  p_limit integer,
  p_offset integer,
  p_times boolean
) returns table (
  partition_id uuid,
  queue_id uuid,
  queue text,
  partition text,
  created_at timestamptz,
  last_append_at timestamptz,
  total bigint,
  pending bigint,
  processing bigint,
  completed bigint,
  dead_letter bigint,
  oldest_at timestamptz,
  consumed bigint,
  last_consumed_at timestamptz
)
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set plan_cache_mode = force_custom_plan  -- one queue or all: two plans
set jit = off
as $$
#variable_conflict use_column
declare
  v_queue text := (select q.name from queen.queues q where q.id = p_queue_id);
  v_hidden boolean := exists (select from queen.hidden h where h.shard = p_shard);
  v_now constant timestamptz := clock_timestamp();
  -- Most have none: that saves a look for each partition.
  v_dead constant boolean := exists (
    select from queen.dead_letters d where d.shard = p_shard and (p_queue_id is null or d.queue_id = p_queue_id));
begin
  return query
    with subscribed as materialized (
      select s.queue, s.partition, array_agg(s.consumer_group) as groups, array_agg(s.started_at) as starts
      from queen.subscriptions s
      where s.shard = p_shard and (p_queue_id is null or s.queue = v_queue)
      group by s.queue, s.partition
    )
    select p.id, p.queue_id, p.queue, p.name, p.created_at, p.last_append_at, p.next_offset,
           coalesce(g.pending, u.stored), coalesce(g.processing, 0), coalesce(g.completed, 0),
           coalesce(g.dead_letter, 0), o.created_at, coalesce(g.consumed, 0), g.last_consumed_at
    from (
      -- Along the index by name: a page far behind costs a walk there, not a sort of all.
      select p.id, p.queue_id, q.name as queue, p.name, p.created_at, p.last_append_at, p.first_offset, p.next_offset
      from (
        select q.id, q.name from queen.queues q where p_queue_id is null or q.id = p_queue_id order by q.name
      ) q
      cross join lateral (
        select p.* from queen.partitions p where p.queue_id = q.id and p.shard = p_shard order by p.name
      ) p
      limit p_limit
      offset p_offset
    ) p
    left join subscribed w on w.queue = p.queue and w.partition = ''
    left join subscribed n on n.queue = p.queue and n.partition = p.name
    cross join lateral (
      select max(c.pending) as pending, max(c.processing) as processing, max(c.dead_letter) as dead_letter,
             max(greatest(p.next_offset - c.pending - c.dead_letter, 0)) as completed,
             min(c.low) filter (where c.pending > 0) as low, sum(c.consumed)::bigint as consumed,
             max(c.last_consumed_at) as last_consumed_at
      from (
        with own as materialized (
          select c.consumer_group, c.committed, c.started, c.acked, c.leased, c.lease_expires_at, c.last_consumed_at
          from queen.cursors c
          where c.shard = p_shard and c.partition_id = p.id
        )
        select b.low,
               p.next_offset - b.low - case
                 when isempty(c.acked) then 0
                 else queen.multirange_size_v1(
                   c.acked * int8multirange(int8range(b.low, greatest(b.low, p.next_offset))))
               end as pending,
               case when v_dead then (
                 select count(*)
                 from queen.dead_letters d
                 where d.shard = p_shard and d.partition_id = p.id and d.consumer_group = c.consumer_group)
                 else 0
               end as dead_letter,
               case when c.lease_expires_at > v_now
                 then queen.multirange_size_v1(
                   c.leased * int8multirange(int8range(b.low, greatest(b.low, p.next_offset))) - c.acked)
                 else 0
               end as processing,
               greatest(c.committed - c.started + case
                 when isempty(c.acked) then 0 else queen.multirange_size_v1(c.acked) end, 0) as consumed,
               c.last_consumed_at
        from own c
        cross join lateral (
          select case
            when not isempty(c.acked) and p.first_offset > c.committed and p.first_offset <@ c.acked
              then (select upper(r.r) from unnest(c.acked) as r (r) where p.first_offset <@ r.r)
            else greatest(c.committed, p.first_offset)
          end as low
        ) b
        union all
        -- Without a cursor: where open_cursors_v1 would make it.
        select v.low, p.next_offset - v.low - case
                 when v_hidden then (
                   select count(*)
                   from queen.hidden h
                   where h.shard = p_shard and h.partition_id = p.id and h.message_offset >= v.low
                     and h.only_group is distinct from s.consumer_group)
                 else 0
               end, 0, 0, 0, null
        from (
          select u.consumer_group, u.started_at from unnest(n.groups, n.starts) as u (consumer_group, started_at)
          union all
          select u.consumer_group, u.started_at
          from unnest(w.groups, w.starts) as u (consumer_group, started_at)
          where u.consumer_group <> all (coalesce(n.groups, '{}'))
        ) s
        cross join lateral (
          select case
            when s.started_at is null then p.first_offset
            when s.started_at >= p.last_append_at then p.next_offset
            else queen.offset_after_v1(p_shard, p.id, p.first_offset, p.next_offset, s.started_at)
          end as low
          offset 0
        ) b
        cross join lateral (
          select case
            when v_hidden
              then (select h.committed from queen.beyond_hidden_v1(p_shard, p.id, s.consumer_group, b.low) h)
            else b.low
          end as low
          offset 0
        ) v
        where not exists (select from own c where c.consumer_group = s.consumer_group)
      ) c
    ) g
    cross join lateral (
      select p.next_offset - p.first_offset - case
        when v_hidden then (
          select count(*) from queen.hidden h
          where h.shard = p_shard and h.partition_id = p.id and h.only_group is null)
        else 0
      end as stored
    ) u
    left join lateral (
      select s.created_at
      from queen.segments s
      where p_times and coalesce(g.pending, u.stored) > 0
        and s.shard = p_shard and s.partition_id = p.id and s.base_offset <= coalesce(g.low, p.first_offset)
      order by s.base_offset desc
      limit 1
    ) o on true
    order by p.queue, p.name;
end
$$;
