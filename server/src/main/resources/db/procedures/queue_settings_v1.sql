-- revision: 2
-- The settings of queues with their versions, by name; of all of them if none is named.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.queue_settings_v1(p_queues text[])
returns table (queue text, version bigint, options jsonb)
language sql
stable
as $$
  select q.name, q.version,
         jsonb_build_object(
           'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'retryDelay', q.retry_delay, 'maxSize', q.max_size,
           'ttl', q.ttl, 'deadLetterQueue', q.dead_letter_queue, 'dlqAfterMaxRetries', q.dlq_after_max_retries,
           'priority', q.priority, 'delayedProcessing', q.delayed_processing, 'windowBuffer', q.window_buffer,
           'retentionSeconds', q.retention_seconds, 'completedRetentionSeconds', q.completed_retention_seconds,
           'retentionEnabled', q.retention_enabled, 'encryptionEnabled', q.encryption_enabled,
           'maxWaitTimeSeconds', q.max_wait_time_seconds, 'dedupWindowSeconds', q.dedup_window_seconds)
  from queen.queues q
  where p_queues is null or q.name = any (p_queues);
$$;
