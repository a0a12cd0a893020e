-- revision: 10
-- Creates queues or changes their options; each also gets its partition "Default". A request is an object with queue,
-- namespace, task, merge and options (names as in the HTTP contract). Without merge every option that is not given goes
-- back to its default; with it only what is given changes. Namespace and task stay where they are not given, in either
-- case. Values that mean the same are stored as one, so that sending the answer back changes nothing: no retryDelay and
-- no ttl is null, never 0, dlqAfterMaxRetries is null, never true, and a leaseTime of 0 is 60. Answers one row per
-- request, in their order.
--
-- A push reads whether its queue is encrypted once it has a lock on partitions: procedures on the rows, plain
-- statements on the table. Where a queue is to be encrypted, the caller therefore waits, after this has committed, for
-- the appends that were under way then (appends_under_way_v1), and calls encryption_began_v1, so that the switch takes
-- effect for reads.
--
-- Called by: the broker.
-- Locks: queues, in name order; then new partitions, in name order.
create or replace function queen.configure_v1(p_shard smallint, p_requests jsonb)
returns table (request integer, settings queen.queues, default_partition_id uuid)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_r record;
  v_merge boolean;
  v_settings queen.queues;
  v_ids uuid[];      -- of the partitions "Default", by queue
  v_names text[];
  v_done queen.queues[];
  v_requests integer[];
  v_new boolean;     -- whether the queue did not exist before
begin
  for v_r in
    select r.n::integer as n, r.value ->> 'queue' as queue, r.value ->> 'namespace' as namespace,
           r.value ->> 'task' as task, coalesce((r.value ->> 'merge')::boolean, false) as merge, o.*
    from jsonb_array_elements(p_requests) with ordinality as r (value, n)
    cross join lateral jsonb_to_record(coalesce(r.value -> 'options', '{}')) as o (
      "leaseTime" integer, "retryLimit" integer, "retryDelay" integer, "maxSize" integer, "ttl" integer,
      "deadLetterQueue" boolean, "dlqAfterMaxRetries" boolean, "priority" integer, "delayedProcessing" integer,
      "windowBuffer" integer, "retentionSeconds" integer, "completedRetentionSeconds" integer,
      "retentionEnabled" boolean, "encryptionEnabled" boolean, "maxWaitTimeSeconds" integer,
      "dedupWindowSeconds" integer)
    order by r.value ->> 'queue' collate "C", r.n
  loop
    v_merge := v_r.merge;

    -- Again if the queue is deleted in between.
    loop
      insert into queen.queues (name, namespace, task)
      values (
        v_r.queue, case when v_merge then split_part(v_r.queue, '.', 1) else '' end,
        case when v_merge then split_part(v_r.queue, '.', 2) else '' end)
      on conflict (name) do nothing;
      v_new := found;
      update queen.queues q
      set namespace = coalesce(v_r.namespace, q.namespace),
          task = coalesce(v_r.task, q.task),
          lease_time = coalesce(
            case v_r."leaseTime" when 0 then 60 else v_r."leaseTime" end,
            case when v_merge then q.lease_time else 300 end),
          retry_limit = coalesce(v_r."retryLimit", case when v_merge then q.retry_limit else 3 end),
          retry_delay = nullif(coalesce(v_r."retryDelay", case when v_merge then q.retry_delay end), 0),
          max_size = coalesce(v_r."maxSize", case when v_merge then q.max_size else 0 end),
          ttl = nullif(coalesce(v_r."ttl", case when v_merge then q.ttl end), 0),
          dead_letter_queue = coalesce(v_r."deadLetterQueue", case when v_merge then q.dead_letter_queue end),
          dlq_after_max_retries = nullif(
            coalesce(v_r."dlqAfterMaxRetries", case when v_merge then q.dlq_after_max_retries end), true),
          priority = coalesce(v_r."priority", case when v_merge then q.priority else 0 end),
          delayed_processing = coalesce(
            v_r."delayedProcessing", case when v_merge then q.delayed_processing else 0 end),
          window_buffer = coalesce(v_r."windowBuffer", case when v_merge then q.window_buffer else 0 end),
          retention_seconds = coalesce(v_r."retentionSeconds", case when v_merge then q.retention_seconds else 0 end),
          completed_retention_seconds = coalesce(
            v_r."completedRetentionSeconds", case when v_merge then q.completed_retention_seconds else 0 end),
          retention_enabled = coalesce(v_r."retentionEnabled", v_merge and q.retention_enabled),
          encryption_enabled = coalesce(v_r."encryptionEnabled", v_merge and q.encryption_enabled),
          -- What is stored may be plain, and what is under way, too: see encryption_began_v1.
          sealed_since = case
            when not coalesce(v_r."encryptionEnabled", v_merge and q.encryption_enabled) then null
            when v_new then '-infinity'
            when q.encryption_enabled then q.sealed_since
          end,
          max_wait_time_seconds = coalesce(
            v_r."maxWaitTimeSeconds", case when v_merge then q.max_wait_time_seconds else 0 end),
          dedup_window_seconds = coalesce(
            v_r."dedupWindowSeconds", case when v_merge then q.dedup_window_seconds else 3600 end),
          version = greatest(q.version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
      where q.name = v_r.queue
      returning q.* into v_settings;
      exit when found;
    end loop;

    v_names := v_names || v_r.queue;
    v_requests := v_requests || v_r.n;
    v_done := v_done || v_settings;
  end loop;
  -- Once all queues are locked: a queue is always locked before a partition of it is made.
  v_ids := queen.resolve_partitions_v1(p_shard, v_names, array_fill('Default'::text, array[cardinality(v_names)]));
  for i in 1 .. cardinality(v_names) loop
    request := v_requests[i];
    settings := v_done[i];
    default_partition_id := v_ids[i];
    return next;
  end loop;
end
$$;
