-- What operators ask about a group's way through a partition, beside how far it is.
alter table queen.cursors
  add column started          bigint not null default 0,  -- where it began to read here, or where a seek put it
  add column last_consumed_at timestamptz;                -- when one of its consumers last answered, or took with autoAck

-- The tail also tells that a group was moved on a queue: such a row names both, and no partitions.
alter table queen.tail
  add column queue          text collate "C",
  add column consumer_group text collate "C";
