-- revision: 3
-- A page of the traces of a message, oldest first, and how many there are. One row without an id if the page is empty.
-- The page ends before it would have more than p_bytes. If not even its first trace fits there is none, and needed says
-- how many bytes it takes.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.message_traces_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_transaction_id text,
  p_limit integer,
  p_offset integer,
  p_bytes bigint
) returns table (
  total bigint,
  needed bigint,
  id uuid,
  event_type text,
  data text,
  consumer_group text,
  worker_id text,
  created_at timestamptz,
  names text[]
)
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
#variable_conflict use_column
declare
  -- What is below was removed, and its traces are not shown.
  v_first constant bigint := (
    select p.first_offset from queen.partitions p where p.shard = p_shard and p.id = p_partition_id);
begin
  return query
    with page as materialized (
      select t.*, sum(octet_length(t.data) + 512) over (order by t.created_at, t.id)::bigint as bytes
      from (
        select t.*
        from queen.traces t
        where t.shard = p_shard and t.partition_id = p_partition_id and t.transaction_id = p_transaction_id
          and t.message_offset >= v_first
        order by t.created_at, t.id
        limit p_limit offset p_offset
      ) t
    )
    select c.total, f.needed, t.id, t.event_type, t.data, t.consumer_group, t.worker_id, t.created_at, t.names
    from (
      select count(*) as total
      from queen.traces t
      where t.shard = p_shard and t.partition_id = p_partition_id and t.transaction_id = p_transaction_id
        and t.message_offset >= v_first
    ) c
    cross join (select case when min(p.bytes) > p_bytes then min(p.bytes) end as needed from page p) f
    left join page t on t.bytes <= p_bytes
    order by t.created_at, t.id;
end
$$;
