-- What brokers have done, by the minute. A broker writes its rows once a minute, and may write them again: they then say
-- the same or more, so a write whose answer was lost is repeated. Nothing here is read where messages are carried.

-- One row for each start of a broker, and what it has done since. The row with the id of zeros holds the sums of those
-- that were forgotten, so that the sum over all rows never falls.
create table queen.brokers (
  id               uuid        primary key,
  hostname         text        not null,
  port             integer     not null,
  name             text        not null,   -- WORKER_ID
  pid              bigint      not null,
  last_seen_at     timestamptz not null,
  push_requests    bigint      not null default 0,
  pop_requests     bigint      not null default 0,
  ack_requests     bigint      not null default 0,
  transactions     bigint      not null default 0,
  push_messages    bigint      not null default 0,
  pop_messages     bigint      not null default 0,
  ack_success      bigint      not null default 0,
  ack_failed       bigint      not null default 0,
  dead_letters     bigint      not null default 0,
  db_errors        bigint      not null default 0
);
insert into queen.brokers (id, hostname, port, name, pid, last_seen_at)
values ('00000000-0000-0000-0000-000000000000', '', 0, '', 0, clock_timestamp());

create table queen.minute_queues (
  minute             timestamptz      not null,
  broker             uuid             not null,
  queue              text collate "C" not null,
  push_requests      bigint           not null,
  push_messages      bigint           not null,
  pop_requests       bigint           not null,
  pop_messages       bigint           not null,
  pop_empty          bigint           not null,
  ack_requests       bigint           not null,
  ack_success        bigint           not null,
  ack_failed         bigint           not null,
  auto_acked         bigint           not null,
  transactions       bigint           not null,
  dead_letters       bigint           not null,
  partitions_created bigint           not null,
  parked             bigint           not null,  -- the most polls that waited at once
  lag_count          bigint           not null,  -- messages handed out, ...
  lag_sum_ms         bigint           not null,  -- ... and how long after they were appended
  lag_max_ms         bigint           not null,
  primary key (minute, broker, queue)
);

create table queen.minute_workers (
  minute           timestamptz      not null,
  broker           uuid             not null,
  worker           integer          not null,  -- the number of the event loop
  push_requests    bigint           not null,
  pop_requests     bigint           not null,
  ack_requests     bigint           not null,
  transactions     bigint           not null,
  push_messages    bigint           not null,
  pop_messages     bigint           not null,
  ack_success      bigint           not null,
  ack_failed       bigint           not null,
  dead_letters     bigint           not null,
  db_errors        bigint           not null,
  jobs_done        bigint           not null,  -- calls of PostgreSQL
  lag_count        bigint           not null,
  lag_sum_ms       bigint           not null,
  lag_max_ms       bigint           not null,
  samples          bigint           not null,  -- looks at what follows
  loop_delay_sum   double precision not null,  -- ms
  loop_delay_max   double precision not null,
  free_slots_sum   bigint           not null,
  free_slots_min   bigint           not null,
  job_queue_sum    bigint           not null,
  job_queue_max    bigint           not null,
  db_connections   integer          not null,
  backoff_size     integer          not null,
  primary key (minute, broker, worker)
);

-- One element of the arrays for each measure, in the order that admin.history.SystemMeasure tells.
create table queen.minute_system (
  minute       timestamptz        not null,
  broker       uuid               not null,
  samples      bigint             not null,
  sums         double precision[] not null,
  lows         double precision[] not null,
  highs        double precision[] not null,
  last         double precision[] not null,
  shared_state jsonb              not null,
  primary key (minute, broker)
);

-- Sums over partitions, made anew every few seconds by one broker: see refresh_statistics_v1.
create table queen.statistics_state (
  shard        smallint    primary key,
  refreshed_at timestamptz,
  took_ms      integer     not null default 0,
  rounds       bigint      not null default 0,
  partitions   bigint      not null default 0,
  offset_lag   double precision[] not null default '{0,0,0,0}',
  time_lag     double precision[] not null default '{0,0,0,0}',
  oldest_at    timestamptz,
  failed       bigint      not null default 0
);
insert into queen.statistics_state (shard) values (0);

create table queen.statistics_queues (
  shard       smallint not null,
  queue_id    uuid     not null,
  partitions  bigint   not null,
  total       bigint   not null,
  pending     bigint   not null,
  processing  bigint   not null,
  completed   bigint   not null,
  dead_letter bigint   not null,  -- of the worst group of each partition
  dead_rows   bigint   not null,  -- of all groups
  consumed    bigint   not null,
  primary key (shard, queue_id)
) with (fillfactor = 50);

create table queen.statistics_groups (
  shard          smallint not null,
  queue_id       uuid     not null,
  consumer_group text collate "C" not null,
  opened         bigint   not null,
  leased         bigint   not null,
  lagging        bigint   not null,
  lag            bigint   not null,
  oldest_at      timestamptz,
  consumed       boolean  not null,
  primary key (shard, queue_id, consumer_group)
) with (fillfactor = 50);

-- When the first message was appended that a group has not done in a partition, as far as that is some seconds ago. It
-- stays true for as long as the group stands where it did, so only those that moved are looked up again. Group '': nobody reads
-- the partition. May vanish in a crash.
create unlogged table queen.oldest_messages (
  shard          smallint    not null,
  partition_id   uuid        not null,
  consumer_group text collate "C" not null,
  low            bigint      not null,
  oldest_at      timestamptz not null,
  primary key (shard, partition_id, consumer_group)
) with (fillfactor = 70);
