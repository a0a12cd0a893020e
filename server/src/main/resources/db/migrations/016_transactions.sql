-- What committed transactions answered, so that one that is sent again because its answer was lost is not carried out
-- again, but answered as the first time. The arrays: one element for each message and each ack, in the order in which the
-- procedure got them.
create table queen.transactions (
  shard           smallint         not null,
  owner           text collate "C" not null,  -- whose key it is: see IdempotencyKey
  key             text collate "C" not null,
  digest          text,                       -- of the request; null: the key was made by a broker for one request
  transaction_id  uuid             not null,  -- as it was answered
  expires_at      timestamptz      not null,
  push_operations integer[]        not null,  -- positions among the operations
  message_ids     uuid[]           not null,
  transaction_ids text[]           not null,
  partition_ids   uuid[]           not null,
  ack_operations  integer[]        not null,
  dead            boolean[],                  -- null: no ack made a dead letter
  primary key (shard, owner, key)
);
create index transactions_by_age on queen.transactions (shard, expires_at);
