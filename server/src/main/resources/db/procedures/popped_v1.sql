-- revision: 1
-- What a pop with autoAck took whose reply was lost: its messages again. If the pop has not happened, it will not: its id is
-- written down here, and pop_v1 fails when it cannot write it down itself. A pop that is under way is waited for.
-- Messages that retention or clear has removed meanwhile are not given.
-- Locks: the row of the pop's id, and nothing else.
create or replace function queen.popped_v1(p_shard smallint, p_pop_id uuid) returns table (
  queue text,
  partition text,
  partition_id uuid,
  backlog bigint,
  encrypted boolean,
  created_at timestamptz,
  base_offset bigint,
  message_ids uuid[],
  transaction_ids text[],
  payloads text[],
  trace_ids uuid[],
  producer_subs text[]
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
#variable_conflict use_column
declare
  v_written integer;
begin
  insert into queen.auto_pops (shard, pop_id, expires_at, partition_ids, ranges)
  values (p_shard, p_pop_id, clock_timestamp() + interval '10 minutes', '{}', '{}')
  on conflict (shard, pop_id) do nothing;
  get diagnostics v_written = row_count;
  if v_written > 0 then
    return;
  end if;
  return query
    select q.name, p.name, g.id, p.next_offset - upper(g.ranges), s.encrypted, s.created_at, c.from_offset,
           s.message_ids[c.low : c.high], s.transaction_ids[c.low : c.high], s.payloads[c.low : c.high],
           s.trace_ids[c.low : c.high], s.producer_subs[c.low : c.high]
    from (
      select u.id, u.ranges, u.n
      from queen.auto_pops a
      cross join lateral rows from (unnest(a.partition_ids), unnest(a.ranges)) with ordinality as u (id, ranges, n)
      where a.shard = p_shard and a.pop_id = p_pop_id
    ) g
    join queen.partitions p on p.shard = p_shard and p.id = g.id
    join queen.queues q on q.id = p.queue_id
    cross join lateral (
      select lower(r.r) as low, upper(r.r) as high from unnest(g.ranges) as r (r)
    ) r
    cross join lateral (
      select s.*
      from queen.segments s
      where s.shard = p_shard and s.partition_id = g.id
        and s.base_offset >= coalesce((
          select b.base_offset
          from queen.segments b
          where b.shard = p_shard and b.partition_id = g.id and b.base_offset <= r.low
          order by b.base_offset desc
          limit 1), r.low)
        and s.base_offset < r.high
        and s.base_offset + s.message_count > r.low
      order by s.base_offset
      offset 0
    ) s
    cross join lateral (
      select greatest(s.base_offset, r.low) as from_offset,
             (greatest(r.low - s.base_offset, 0) + 1)::integer as low,
             least(r.high - s.base_offset, s.message_count)::integer as high
      offset 0
    ) c
    order by g.n, c.from_offset;
end
$$;
