-- What stream processors keep here: the queries that they run, and for each query and source partition the state
-- that they have built from its messages. Partitions are not referenced, as everywhere: sweep_v1 removes what is left.

create table queen.stream_queries (
  id           uuid        primary key default gen_random_uuid(),
  name         text collate "C" not null unique check (length(name) between 1 and 255),
  source_queue text collate "C" not null,
  sink_queue   text collate "C",
  config_hash  text        not null,
  created_at   timestamptz not null default clock_timestamp(),
  updated_at   timestamptz not null default clock_timestamp()
);

-- One for each (partition, query) that ever had a cycle: its lock lets the cycles go one after the other.
create table queen.stream_lanes (
  shard        smallint not null,
  partition_id uuid     not null,
  query_id     uuid     not null,
  primary key (shard, partition_id, query_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index stream_lanes_by_query on queen.stream_lanes (shard, query_id, partition_id);

create table queen.stream_state (
  shard        smallint         not null,
  query_id     uuid             not null,
  partition_id uuid             not null,
  key          text collate "C" not null,
  value        text             not null,  -- JSON, as it was given
  window_end   double precision,           -- the number "windowEnd" of the value, if it has one
  updated_at   timestamptz      not null,
  primary key (shard, query_id, partition_id, key)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- What was answered to cycles that have an idempotency key, for a day. The arrays: one element for each message.
create table queen.stream_cycles (
  shard           smallint         not null,
  query_id        uuid             not null,
  partition_id    uuid             not null,
  idempotency_key text collate "C" not null,
  created_at      timestamptz      not null,
  changes         integer          not null,  -- of the state
  queues          text[]           not null,
  transaction_ids text[]           not null,
  message_ids     uuid[]           not null,
  partition_ids   uuid[]           not null,
  trace_ids       uuid[],
  duplicates      boolean[]        not null,
  consumed        integer,                    -- null: no messages were
  released        boolean,
  dead            boolean,
  primary key (shard, query_id, partition_id, idempotency_key)
);
create index stream_cycles_by_age on queen.stream_cycles (shard, created_at);
