-- revision: 2
-- Dead letters of a selection (see selected_dead_letters_v1) that have to be sealed before they may be given back: at
-- most p_limit, and those after the first only up to p_bytes of payloads. version identifies what was read: see
-- seal_letters_v1.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.unsealed_letters_v1(
  p_shard smallint,
  p_queue text,
  p_partition text,
  p_partition_id uuid,
  p_group text,
  p_from timestamptz,
  p_until timestamptz,
  p_transaction_ids text[],
  p_limit integer,
  p_bytes bigint
) returns table (
  partition_id uuid,
  consumer_group text,
  message_offset bigint,
  version text,
  queue text,
  partition text,
  message_id uuid,
  form smallint,
  payload text
)
language plpgsql
stable
set plan_cache_mode = force_custom_plan  -- the selection decides
set jit = off
as $$
#variable_conflict use_column
begin
  return query
    select f.partition_id, f.consumer_group, f.message_offset, f.version, f.queue, f.partition, f.message_id,
           f.form, f.payload
    from (
      select f.*,
             sum(octet_length(f.payload)) over (
               order by f.partition_id, f.consumer_group, f.message_offset) as bytes,
             row_number() over (order by f.partition_id, f.consumer_group, f.message_offset) as n
      from (
        select d.partition_id, d.consumer_group, d.message_offset, d.xmin::text as version, s.queue, s.partition,
               d.message_id,
               queen.payload_form_v1(
                 d.encrypted, d.created_at, case when q.encryption_enabled then q.sealed_since end, q.bound_since
               ) as form,
               d.payload
        from queen.selected_dead_letters_v1(
          p_shard, (select w.id from queen.queues w where w.name = p_queue), p_partition, p_partition_id, p_group,
          p_from, p_until, p_transaction_ids) s
        join queen.dead_letters d on d.shard = p_shard and d.partition_id = (s.letter).partition_id
          and d.consumer_group = (s.letter).consumer_group and d.message_offset = (s.letter).message_offset
        join queen.queues q on q.id = d.queue_id
        where queen.unsealed_v1(
          d.payload, d.encrypted, d.created_at, case when q.encryption_enabled then q.sealed_since end)
        order by d.partition_id, d.consumer_group, d.message_offset
        limit p_limit
      ) f
    ) f
    where f.n = 1 or f.bytes <= p_bytes
    order by f.n;
end
$$;
