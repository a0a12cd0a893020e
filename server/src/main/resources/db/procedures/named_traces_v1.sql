-- revision: 5
-- A page of the traces of a name, oldest first, with their messages, and how many there are (those of messages that
-- were just removed included, until they are removed themselves). One row without an id if the page is empty. With
-- p_queue, only those of that queue, and only they are counted. No more than the oldest p_scan traces of the name are
-- looked at; truncated says that there are more. The page ends before it would have more than p_bytes. If not even its
-- first trace fits there is none, and needed says how many bytes it takes.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.named_traces_v1(
  p_shard smallint,
  p_name text,
  p_limit integer,
  p_offset integer,
  p_queue text,
  p_scan integer,
  p_bytes bigint
)
returns table (
  total bigint,
  needed bigint,
  id uuid,
  event_type text,
  data text,
  consumer_group text,
  worker_id text,
  created_at timestamptz,
  names text[],
  transaction_id text,
  partition_id uuid,
  queue text,
  partition text,
  payload text,
  encrypted boolean,
  message_id uuid,
  form smallint,
  truncated boolean
)
language plpgsql
stable
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
#variable_conflict use_column
begin
  return query
    with page as materialized (
      select t.*, s.base_offset,
             sum(octet_length(t.data) + coalesce(s.bytes, 0) + 512) over (order by t.created_at, t.id)::bigint as bytes
      from (
        -- Along the index, one after the other, until the page is full: never all of them at once.
        select t.*, p.queue, p.partition, p.sealed_since, p.bound_since
        from (
          select n.partition_id, n.message_offset, n.trace_id
          from queen.trace_names n
          where n.shard = p_shard and n.name = p_name
          order by n.created_at, n.trace_id
          limit p_scan
        ) n
        cross join lateral (
          select q.name as queue, p.name as partition,
                 case when q.encryption_enabled then q.sealed_since end as sealed_since, q.bound_since
          from queen.partitions p
          join queen.queues q on q.id = p.queue_id
          where p.shard = p_shard and p.id = n.partition_id and p.first_offset <= n.message_offset
            and (p_queue is null or q.name = p_queue)
          offset 0
        ) p
        cross join lateral (
          select t.*
          from queen.traces t
          where t.shard = p_shard and t.partition_id = n.partition_id and t.message_offset = n.message_offset
            and t.id = n.trace_id
          offset 0
        ) t
        limit p_limit offset p_offset
      ) t
      left join lateral (
        select s.base_offset, queen.piece_bytes_v1(s.bytes, s.payloads, s.message_count, 1) as bytes
        from (
          select s.base_offset, s.message_count, s.payloads, s.bytes
          from queen.segments s
          where s.shard = p_shard and s.partition_id = t.partition_id and s.base_offset <= t.message_offset
          order by s.base_offset desc
          limit 1
        ) s
        where t.message_offset < s.base_offset + s.message_count
      ) s on true
    )
    select c.total, f.needed, t.id, t.event_type, t.data, t.consumer_group, t.worker_id, t.created_at, t.names,
           t.transaction_id, t.partition_id, t.queue, t.partition, s.payload, s.encrypted, s.message_id,
           queen.payload_form_v1(s.encrypted, s.created_at, t.sealed_since, t.bound_since),
           c.traces > p_scan
    from (
      select c.traces,
             case when p_queue is null then c.traces else (
               select count(*)
               from (
                 select n.partition_id
                 from queen.trace_names n
                 where n.shard = p_shard and n.name = p_name
                 order by n.created_at, n.trace_id
                 limit p_scan
               ) n
               cross join lateral (
                 select from queen.partitions p
                 join queen.queues q on q.id = p.queue_id
                 where p.shard = p_shard and p.id = n.partition_id and q.name = p_queue
                 offset 0
               ) p) end as total
      from (
        select coalesce((
          select c.traces from queen.trace_name_counts c where c.shard = p_shard and c.name = p_name), 0) as traces
      ) c
    ) c
    cross join (select case when min(p.bytes) > p_bytes then min(p.bytes) end as needed from page p) f
    left join page t on t.bytes <= p_bytes
    left join lateral (
      select s.payloads[t.message_offset - s.base_offset + 1] as payload, s.encrypted, s.created_at,
             s.message_ids[t.message_offset - s.base_offset + 1] as message_id
      from queen.segments s
      where s.shard = p_shard and s.partition_id = t.partition_id and s.base_offset = t.base_offset
    ) s on true
    order by t.created_at, t.id;
end
$$;
