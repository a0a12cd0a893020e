-- revision: 4
-- Which partitions of a queue have something for a group? A full look, a page of p_limit partitions at a time by name,
-- for a broker that starts or that may have missed something: o_last is where the next page starts, null at the end.
-- For each partition that has: how many messages wait, since when the oldest does, and when it is free if a lease or a
-- retryDelay still blocks it by this clock; the caller's idea of it may be old. A hint: pop decides.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.reconcile_v1(
  p_shard smallint,
  p_queue text,
  p_group text,
  p_after text,
  p_limit integer,
  out o_last text,
  out o_partition_ids uuid[],
  out o_backlogs bigint[],
  out o_waiting_since timestamptz[],
  out o_free_at timestamptz[]
)
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_queue_id uuid := (select q.id from queen.queues q where q.name = p_queue);
  v_hidden boolean := exists (select from queen.hidden h where h.shard = p_shard);
begin
  select case when count(*) = p_limit then max(w.name) end,
         coalesce(array_agg(w.id order by w.waiting_since) filter (where w.backlog > 0), '{}'),
         coalesce(array_agg(w.backlog order by w.waiting_since) filter (where w.backlog > 0), '{}'),
         coalesce(array_agg(w.waiting_since order by w.waiting_since) filter (where w.backlog > 0), '{}'),
         coalesce(array_agg(w.free_at order by w.waiting_since) filter (where w.backlog > 0), '{}')
  into o_last, o_partition_ids, o_backlogs, o_waiting_since, o_free_at
  from (
    select p.name, p.id, b.backlog,
           case
             when greatest(c.lease_expires_at, c.not_before) > clock_timestamp()
               then greatest(c.lease_expires_at, c.not_before)
           end as free_at,
           case when b.backlog > 0 then (
             select s.created_at
             from queen.segments s
             where s.shard = p_shard and s.partition_id = p.id and s.base_offset <= p.next_offset - b.backlog
             order by s.base_offset desc
             limit 1) end as waiting_since
    from (
      select p.name, p.id, p.first_offset, p.next_offset, p.last_append_at
      from queen.partitions p
      where p.queue_id = v_queue_id and p.shard = p_shard and (p_after is null or p.name > p_after)
      order by p.name
      limit p_limit
    ) p
    left join lateral (
      select c.committed, c.acked, c.lease_expires_at, c.not_before
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = p.id and c.consumer_group = p_group
      offset 0
    ) c on true
    -- Without a cursor: where open_cursors_v1 would make it.
    left join lateral (
      select s.started_at
      from queen.subscriptions s
      where c.committed is null
        and s.shard = p_shard and s.queue = p_queue and s.consumer_group = p_group and s.partition in ('', p.name)
      order by s.partition desc
      limit 1
    ) s on true
    cross join lateral (
      select case
        when p.first_offset > c.committed and p.first_offset <@ c.acked
          then (select upper(r.r) from unnest(c.acked) as r (r) where p.first_offset <@ r.r)
        when c.committed is not null then greatest(c.committed, p.first_offset)
        when s.started_at is null then p.first_offset
        when s.started_at >= p.last_append_at then p.next_offset
        else queen.offset_after_v1(p_shard, p.id, p.first_offset, p.next_offset, s.started_at)
      end as low
      offset 0
    ) l
    cross join lateral (
      select p.next_offset - case
        when v_hidden and c.committed is null
          then (select h.committed from queen.beyond_hidden_v1(p_shard, p.id, p_group, l.low) h)
        else l.low
      end as backlog
      offset 0
    ) b
  ) w;
end
$$;
