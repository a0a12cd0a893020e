-- A queue with many partitions is deleted in steps: see delete_queues_v1. From this moment on it is out of reach, under a name that says so.
alter table queen.queues add column deleted_at timestamptz;
create index queues_to_delete on queen.queues (deleted_at) where deleted_at is not null;
