-- revision: 2
-- A page of the pass that seals again what is stored: the segments that have to be, in the order of partitions and
-- offsets, behind p_partition (whole, if p_offset is null, else from p_offset on). Looks at no more than p_partitions
-- and p_segments, and returns, after the first, no more than p_bytes of payloads. The last row has no version and says
-- where the next page starts; without a partition, there is none.
--
-- A segment has to be sealed if its queue is encrypted and it is plain by right, that is, not younger than
-- sealed_since; and sealed again if a payload is not bound, or sealed with another key. Deleted messages have no
-- transaction id and nothing to seal. version identifies what was read: see reseal_store_v1.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.reseal_segments_v1(
  p_shard smallint,
  p_key_id text,
  p_partition uuid,
  p_offset bigint,
  p_partitions integer,
  p_segments integer,
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
  v_p record;
  v_s record;
  v_partitions integer := 0;
  v_segments integer := 0;
  v_bytes bigint := 0;
begin
  for v_p in
    select p.id, p.name, q.id as queue_id, q.name as queue,
           case when q.encryption_enabled then q.sealed_since end as sealed_since, q.bound_since
    from (
      select p.id, p.name, p.queue_id
      from queen.partitions p
      where p.shard = p_shard and p.id >= coalesce(p_partition, '00000000-0000-0000-0000-000000000000')
        and (p_offset is not null or p.id is distinct from p_partition)
      order by p.id
      limit p_partitions
    ) p
    join queen.queues q on q.id = p.queue_id
    order by p.id
  loop
    v_partitions := v_partitions + 1;
    for v_s in
      select s.xmin::text as version, s.base_offset, s.message_count, s.encrypted, s.created_at, s.message_ids,
             s.transaction_ids, s.payloads
      from queen.segments s
      where s.shard = p_shard and s.partition_id = v_p.id
        and s.base_offset >= case when v_p.id = p_partition then p_offset else 0 end
      order by s.base_offset
      limit p_segments - v_segments
    loop
      v_segments := v_segments + 1;
      if (case
        when v_s.encrypted then exists (
          select
          from unnest(v_s.transaction_ids, v_s.payloads) as m (transaction_id, payload)
          where m.transaction_id is not null and m.payload not like v_current)
        else v_s.created_at <= v_p.sealed_since
      end) then
        v_bytes := v_bytes + (select sum(octet_length(m.payload)) from unnest(v_s.payloads) as m (payload));
        partition_id := v_p.id;
        message_offset := v_s.base_offset;
        if v_bytes > p_bytes and version is not null then
          version := null;
          return next;
          return;
        end if;
        version := v_s.version;
        queue_id := v_p.queue_id;
        queue := v_p.queue;
        partition := v_p.name;
        form := queen.payload_form_v1(v_s.encrypted, v_s.created_at, v_p.sealed_since, v_p.bound_since);
        message_ids := v_s.message_ids;
        transaction_ids := v_s.transaction_ids;
        payloads := v_s.payloads;
        return next;
      end if;
    end loop;
    if v_segments >= p_segments then
      partition_id := v_p.id;
      message_offset := v_s.base_offset + v_s.message_count;
      version := null;
      return next;
      return;
    end if;
  end loop;
  partition_id := case when v_partitions >= p_partitions then v_p.id end;
  message_offset := null;
  version := null;
  return next;
end
$$;
