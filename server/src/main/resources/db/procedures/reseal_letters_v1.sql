-- revision: 2
-- The same for dead letters as reseal_segments_v1 is for segments: those behind a place in the order of their key.
-- Looks at no more than p_limit.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.reseal_letters_v1(
  p_shard smallint,
  p_key_id text,
  p_partition uuid,
  p_group text,
  p_offset bigint,
  p_limit integer,
  p_bytes bigint
) returns table (
  partition_id uuid,
  consumer_group text,
  message_offset bigint,
  version text,
  queue_id uuid,
  queue text,
  partition text,
  form smallint,
  message_ids uuid[],
  transaction_ids text[],
  payloads text[]
)
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
#variable_conflict use_column
declare
  v_current constant text := '{"v":"2","keyId":"' || p_key_id || '",%';
  v_d record;
  v_seen integer := 0;
  v_bytes bigint := 0;
begin
  for v_d in
    select d.xmin::text as version, d.partition_id, d.consumer_group, d.message_offset, d.message_id, d.transaction_id,
           d.payload, d.encrypted, d.created_at, q.id as queue_id, q.name as queue, p.name as partition,
           case when q.encryption_enabled then q.sealed_since end as sealed_since, q.bound_since
    from (
      select d.*, d.xmin
      from queen.dead_letters d
      where d.shard = p_shard
        and (d.partition_id, d.consumer_group, d.message_offset) >
          (coalesce(p_partition, '00000000-0000-0000-0000-000000000000'), coalesce(p_group, ''), coalesce(p_offset, -1))
      order by d.partition_id, d.consumer_group, d.message_offset
      limit p_limit
    ) d
    left join queen.partitions p on p.shard = p_shard and p.id = d.partition_id
    left join queen.queues q on q.id = p.queue_id
    order by d.partition_id, d.consumer_group, d.message_offset
  loop
    if v_d.queue_id is not null and (case
      when v_d.encrypted then v_d.payload not like v_current
      else v_d.created_at <= v_d.sealed_since
    end) then
      v_bytes := v_bytes + octet_length(v_d.payload);
      exit when v_bytes > p_bytes and version is not null;
      partition_id := v_d.partition_id;
      consumer_group := v_d.consumer_group;
      message_offset := v_d.message_offset;
      version := v_d.version;
      queue_id := v_d.queue_id;
      queue := v_d.queue;
      partition := v_d.partition;
      form := queen.payload_form_v1(v_d.encrypted, v_d.created_at, v_d.sealed_since, v_d.bound_since);
      message_ids := array[v_d.message_id];
      transaction_ids := array[v_d.transaction_id];
      payloads := array[v_d.payload];
      return next;
    end if;
    v_seen := v_seen + 1;
    partition_id := v_d.partition_id;
    consumer_group := v_d.consumer_group;
    message_offset := v_d.message_offset;
  end loop;
  if v_bytes <= p_bytes and v_seen < p_limit then
    partition_id := null;
    consumer_group := null;
    message_offset := null;
  end if;
  version := null;
  return next;
end
$$;
