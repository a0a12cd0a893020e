-- revision: 4
-- A page of dead letters, the latest failure first: see selected_dead_letters_v1; p_queue null: of all queues. total:
-- how many there are on all pages. The cost grows with dead letters, never with messages. The page ends before it would
-- have more than p_bytes. If not even its first letter fits there is none, and needed says how many bytes it takes.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.dead_letters_v1(
  p_shard smallint,
  p_queue text,
  p_partition text,
  p_group text,
  p_from timestamptz,
  p_until timestamptz,
  p_limit integer,
  p_offset integer,
  p_bytes bigint
) returns table (
  total bigint,
  needed bigint,
  message_id uuid,
  transaction_id text,
  partition_id uuid,
  queue text,
  partition text,
  consumer_group text,
  error_message text,
  retry_count integer,
  payload text,
  encrypted boolean,
  form smallint,
  producer_sub text,
  created_at timestamptz,
  failed_at timestamptz
)
language plpgsql
stable
set plan_cache_mode = force_custom_plan  -- the filters decide
set jit = off
as $$
#variable_conflict use_column
declare
  v_queue_id uuid := (select q.id from queen.queues q where q.name = p_queue);
begin
  -- A row for the total alone, if the page is empty. What letters take is known without reading their payloads.
  return query
    with page as materialized (
      select k.*, sum(k.size) over (
               order by k.failed_at desc, k.partition_id, k.consumer_group, k.message_offset desc)::bigint as bytes
      from (
        select (s.letter).partition_id, (s.letter).consumer_group, (s.letter).message_offset, (s.letter).failed_at,
               s.queue, s.partition,
               octet_length((s.letter).payload) + coalesce(octet_length((s.letter).error_message), 0) + 512 as size
        from queen.selected_dead_letters_v1(
          p_shard, v_queue_id, p_partition, null, p_group, p_from, p_until, null) s
        where p_queue is null or v_queue_id is not null
        order by (s.letter).failed_at desc, (s.letter).partition_id, (s.letter).consumer_group,
                 (s.letter).message_offset desc
        limit p_limit
        offset p_offset
      ) k
    )
    select t.total, f.needed, d.message_id, d.transaction_id, d.partition_id, p.queue, p.partition,
           d.consumer_group, d.error_message, d.retry_count, d.payload, d.encrypted,
           queen.payload_form_v1(
             d.encrypted, d.created_at, case when q.encryption_enabled then q.sealed_since end, q.bound_since),
           d.producer_sub, d.created_at, d.failed_at
    from (
      select count(*) as total
      from queen.selected_dead_letters_v1(
        p_shard, v_queue_id, p_partition, null, p_group, p_from, p_until, null) s
      where p_queue is null or v_queue_id is not null
    ) t
    cross join (select case when min(p.bytes) > p_bytes then min(p.bytes) end as needed from page p) f
    left join page p on p.bytes <= p_bytes
    left join lateral (
      select d.*
      from queen.dead_letters d
      where d.shard = p_shard and d.partition_id = p.partition_id and d.consumer_group = p.consumer_group
        and d.message_offset = p.message_offset
      offset 0
    ) d on true
    left join queen.queues q on q.id = d.queue_id
    order by p.bytes;
end
$$;
