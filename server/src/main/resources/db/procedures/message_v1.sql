-- revision: 3
-- One message, by its partition and transaction id, with what its groups did with it; of several the newest. If only
-- dead letters are left of it, it is shown from the last of these. No row if there is none. See find_message_v1 for
-- p_reach.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.message_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_transaction_id text,
  p_reach bigint
) returns table (
  message_id uuid,
  queue text,
  partition text,
  namespace text,
  task text,
  status text,
  payload text,
  encrypted boolean,
  form smallint,
  trace_id uuid,
  producer_sub text,
  created_at timestamptz,
  dead boolean,
  error_message text,
  retry_count integer,
  leased_until timestamptz,
  lease_time integer,
  retry_limit integer,
  retry_delay integer,
  ttl integer,
  priority integer,
  queue_mode boolean,
  groups text[],
  groups_done boolean[],
  groups_leased_until timestamptz[]
)
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
#variable_conflict use_column
declare
  v_offsets bigint[] := queen.find_message_v1(p_shard, p_partition_id, p_transaction_id, p_reach);
  v_offset bigint := v_offsets[cardinality(v_offsets)];
begin
  return query
    with letter as (
      select d.*
      from queen.dead_letters d
      where d.shard = p_shard and d.partition_id = p_partition_id and d.transaction_id = p_transaction_id
      order by d.failed_at desc
      limit 1
    ), stored as (
      select s.message_ids[v_offset - s.base_offset + 1] as message_id,
             s.payloads[v_offset - s.base_offset + 1] as payload,
             s.encrypted, s.trace_ids[v_offset - s.base_offset + 1] as trace_id,
             s.producer_subs[v_offset - s.base_offset + 1] as producer_sub, s.created_at, v_offset as o
      from queen.segments s
      where v_offset is not null and s.shard = p_shard and s.partition_id = p_partition_id and s.base_offset <= v_offset
      order by s.base_offset desc
      limit 1
    ), message as (
      select s.* from stored s
      union all
      select l.message_id, l.payload, l.encrypted, l.trace_id, l.producer_sub, l.created_at, l.message_offset
      from letter l
      where not exists (select from stored s)
    )
    select m.message_id, q.name, p.name, q.namespace, q.task,
           case
             when l.message_id is not null then 'dead_letter'
             when cardinality(g.groups) > 0 and not g.queue_mode
               then case when true = all (g.done) then 'completed' else 'pending' end
             when g.queue_done then 'completed'
             when g.queue_leased is not null then 'processing'
             else 'pending'
           end,
           m.payload, m.encrypted,
           queen.payload_form_v1(
             m.encrypted, m.created_at, case when q.encryption_enabled then q.sealed_since end, q.bound_since),
           m.trace_id, m.producer_sub, m.created_at, l.message_id is not null, l.error_message,
           l.retry_count, g.queue_leased, q.lease_time, q.retry_limit, q.retry_delay, q.ttl, q.priority,
           g.queue_mode, g.groups, g.done, g.leased
    from message m
    join queen.partitions p on p.shard = p_shard and p.id = p_partition_id
    join queen.queues q on q.id = p.queue_id
    left join letter l on true
    cross join lateral (
      select coalesce(bool_or(g.consumer_group = '__QUEUE_MODE__'), false) as queue_mode,
             coalesce(bool_or(g.done) filter (where g.consumer_group = '__QUEUE_MODE__'), false) as queue_done,
             max(g.leased_until) filter (where g.consumer_group = '__QUEUE_MODE__') as queue_leased,
             coalesce(array_agg(g.consumer_group order by g.consumer_group collate "C")
               filter (where g.consumer_group <> '__QUEUE_MODE__'), '{}') as groups,
             coalesce(array_agg(g.done order by g.consumer_group collate "C")
               filter (where g.consumer_group <> '__QUEUE_MODE__'), '{}') as done,
             coalesce(array_agg(g.leased_until order by g.consumer_group collate "C")
               filter (where g.consumer_group <> '__QUEUE_MODE__'), '{}') as leased
      from queen.message_groups_v1(p_shard, array[p_partition_id], array[m.o], array[m.created_at]) g
    ) g;
end
$$;
