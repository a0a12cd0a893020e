-- What consumers note about messages. A trace hangs on its message by partition and offset, and goes with it.
--
-- The second indexes do not begin as the keys do, so that none can be taken for the other, whatever the statistics say.
create table queen.traces (
  shard          smallint    not null,
  partition_id   uuid        not null,
  message_offset bigint      not null,
  id             uuid        not null,
  transaction_id text collate "C" not null,
  consumer_group text        not null,
  event_type     text        not null,
  worker_id      text        not null,
  data           text        not null,  -- JSON, as it was sent
  names          text[]      not null,
  created_at     timestamptz not null,
  primary key (shard, partition_id, message_offset, id)
);
create index traces_by_transaction on queen.traces (transaction_id, partition_id, created_at, id);

-- The traces of a name, oldest first.
create table queen.trace_names (
  shard          smallint    not null,
  name           text collate "C" not null,
  created_at     timestamptz not null,
  trace_id       uuid        not null,
  partition_id   uuid        not null,
  message_offset bigint      not null,
  primary key (shard, name, created_at, trace_id)
);
create index trace_names_by_message on queen.trace_names (partition_id, message_offset, name, trace_id);

-- How many there are of each name: counted as they come and go, so that nobody has to count them all.
create table queen.trace_name_counts (
  shard     smallint    not null,
  name      text collate "C" not null,
  traces    bigint      not null,
  messages  bigint      not null,
  last_seen timestamptz not null,
  primary key (shard, name)
) with (fillfactor = 70);
create index trace_names_by_time on queen.trace_name_counts (last_seen, name);
