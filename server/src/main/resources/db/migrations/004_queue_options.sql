-- Whether anybody has said something about dead letters: "no" has an effect of its own now, silence has not.
alter table queen.queues
  alter column dead_letter_queue drop not null,
  alter column dead_letter_queue drop default,
  alter column dlq_after_max_retries drop not null,
  alter column dlq_after_max_retries drop default;
update queen.queues q
set dead_letter_queue = nullif(q.dead_letter_queue, false), dlq_after_max_retries = nullif(q.dlq_after_max_retries, false);

-- How full the queues with a maxSize are. A row is made by the first push to such a queue, and locked by every push to
-- it, after the partitions and in queue order. References no queue: a push that made a row would have to wait for one that is being
-- deleted, while that waits for the push's partitions.
create table queen.capacities (
  shard       smallint    not null,
  queue_id    uuid        not null,
  version     bigint      not null,  -- of the queue's settings when it was measured; -1: measure it
  groups      integer     not null,  -- so many had subscribed
  depth       bigint      not null,  -- what was measured, and all that was appended since: there may be fewer by now
  looked_at   bigint      not null,  -- how many rows the measuring took
  measured_at timestamptz not null,
  again_at    timestamptz not null,  -- when it is measured again, full or not
  primary key (shard, queue_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
