-- revision: 2
-- How far the groups of messages' partitions are with each of them (n: its place among the arguments): whether the
-- group has done it, and whether one of its consumers has leased it, until when. A group counts where it has a cursor,
-- and where it has subscribed without one.
--
-- Called by: message_v1, messages_v1.
-- Locks: none.
create or replace function queen.message_groups_v1(
  p_shard smallint,
  p_partition_ids uuid[],
  p_offsets bigint[],
  p_created_at timestamptz[]
) returns table (n integer, consumer_group text, done boolean, leased_until timestamptz)
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_custom_plan  -- one message or ten thousand
set jit = off
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
begin
  return query
    with places as materialized (
      select p.id, p.name, p.first_offset, q.name as queue
      from (select distinct u.id from unnest(p_partition_ids) as u (id)) u
      join queen.partitions p on p.shard = p_shard and p.id = u.id
      join queen.queues q on q.id = p.queue_id
    ), readers as materialized (
      select p.id, c.consumer_group, greatest(c.committed, p.first_offset) as committed, c.acked,
             case when c.lease_expires_at > v_now then c.leased else '{}' end as leased, c.lease_expires_at,
             null::timestamptz as started_at
      from places p
      join queen.cursors c on c.shard = p_shard and c.partition_id = p.id
      union all
      select s.id, s.consumer_group, null, null, '{}', null, s.started_at
      from (
        select distinct on (p.id, s.consumer_group) p.id, s.consumer_group, s.started_at
        from places p
        join queen.subscriptions s on s.shard = p_shard and s.queue = p.queue and s.partition in ('', p.name)
        order by p.id, s.consumer_group, s.partition desc
      ) s
      where not exists (
        select from queen.cursors c
        where c.shard = p_shard and c.partition_id = s.id and c.consumer_group = s.consumer_group)
    )
    select m.n::integer, r.consumer_group, d.done,
           case when not d.done and m.o <@ r.leased then r.lease_expires_at end
    from rows from (unnest(p_partition_ids), unnest(p_offsets), unnest(p_created_at))
      with ordinality as m (id, o, created_at, n)
    join readers r on r.id = m.id
    cross join lateral (
      select case
        when r.committed is not null then m.o < r.committed or m.o <@ r.acked
        else coalesce(m.created_at <= r.started_at, false) or exists (
          select from queen.hidden h
          where h.shard = p_shard and h.partition_id = m.id and h.message_offset = m.o
            and h.only_group is distinct from r.consumer_group)
      end as done
    ) d;
end
$$;
