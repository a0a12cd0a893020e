-- The store's tables. Hot tables (partitions, segments, cursors) start their key with shard, carry no
-- sequence and no trigger, and reference nothing but the small table of queues. They have no check constraints
-- either: PostgreSQL reads those anew for every statement, and the store has checked what it sends.

create table queen.queues (
  id                          uuid        primary key default gen_random_uuid(),
  name                        text collate "C" not null unique check (length(name) between 1 and 255),
  namespace                   text        not null default '',
  task                        text        not null default '',
  lease_time                  integer     not null default 300 check (lease_time >= 0),
  retry_limit                 integer     not null default 3 check (retry_limit >= 0),
  retry_delay                 integer     check (retry_delay >= 0),  -- ms; null: echoed as 1000, not enforced
  max_size                    integer     not null default 0 check (max_size >= 0),
  ttl                         integer     check (ttl >= 0),          -- s; null: echoed as 3600, not enforced
  dead_letter_queue           boolean     not null default false,
  dlq_after_max_retries       boolean     not null default false,
  priority                    integer     not null default 0,
  delayed_processing          integer     not null default 0 check (delayed_processing >= 0),
  window_buffer               integer     not null default 0 check (window_buffer >= 0),
  retention_seconds           integer     not null default 0 check (retention_seconds >= 0),
  completed_retention_seconds integer     not null default 0 check (completed_retention_seconds >= 0),
  retention_enabled           boolean     not null default false,
  encryption_enabled          boolean     not null default false,
  max_wait_time_seconds       integer     not null default 0 check (max_wait_time_seconds >= 0),
  dedup_window_seconds        integer     not null default 3600 check (dedup_window_seconds >= -1),
  created_at                  timestamptz not null default clock_timestamp()
);
comment on column queen.queues.dedup_window_seconds is '0: no deduplication; -1: as long as the message is stored';

-- One lane. Offsets are dense and given out under this row's lock by the transaction that appends.
create table queen.partitions (
  shard          smallint    not null,
  id             uuid        not null,
  queue_id       uuid        not null references queen.queues (id) on delete cascade,
  name           text collate "C" not null,
  first_offset   bigint      not null default 0,  -- below it, retention has removed the segments
  next_offset    bigint      not null default 0,
  last_append_at timestamptz,
  created_at     timestamptz not null default clock_timestamp(),
  primary key (shard, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- By name, and for the cascade from queues. The shard is an expression here so that the planner cannot take this index
-- for a search by id, which has to go through the primary key: that is the order of the locks.
create unique index partitions_by_name on queen.partitions (queue_id, name, (shard + 0));

-- The messages that one commit appends to one partition. Never updated; deleted whole by retention.
create table queen.segments (
  shard           smallint    not null,
  partition_id    uuid        not null,
  base_offset     bigint      not null,
  message_count   integer     not null,
  created_at      timestamptz not null,
  encrypted       boolean     not null,
  message_ids     uuid[]      not null,
  transaction_ids text[]      not null,
  payloads        text[]      not null,
  trace_ids       uuid[],  -- null: no message of the segment has one
  producer_subs   text[],  -- null: likewise
  primary key (shard, partition_id, base_offset)
) with (autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.2);

-- Compression: LZ4 where the server has it, else none. pglz, the only other choice, costs four times the insert itself.
alter table queen.segments
  alter column message_ids set storage external,
  alter column transaction_ids set storage external,
  alter column payloads set storage external;
do $$
begin
  alter table queen.segments alter column payloads set compression lz4, alter column payloads set storage extended;
exception
  when feature_not_supported then null;
end
$$;

-- How far a consumer group is in a partition, and the lease that one of its consumers may hold.
create table queen.cursors (
  shard            smallint       not null,
  partition_id     uuid           not null,
  consumer_group   text collate "C" not null,
  committed        bigint         not null,               -- everything below is done
  acked            int8multirange not null default '{}',  -- done, above committed
  lease_id         uuid,
  lease_expires_at timestamptz,
  leased           int8multirange not null default '{}',  -- what the lease covers
  not_before       timestamptz,                           -- retryDelay: deliver nothing before
  batch_cap        integer,                               -- after expired leases: batches no larger than this
  lone_offset      bigint,                                -- the message last delivered alone ...
  lone_deliveries  integer        not null default 0,     -- ... and how often
  has_attempts     boolean        not null default false, -- rows in queen.attempts may exist
  primary key (shard, partition_id, consumer_group)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Which partitions a lease over several partitions covers. A lease over one partition needs no row: the
-- first 48 bits of its id are the partition's (see pop).
create table queen.leases (
  shard          smallint    not null,
  lease_id       uuid        not null,
  consumer_group text collate "C" not null,
  partition_ids  uuid[]      not null,
  created_at     timestamptz not null,
  primary key (shard, lease_id)
);

-- A row only for a message that has failed and will be tried again.
create table queen.attempts (
  shard          smallint    not null,
  partition_id   uuid        not null,
  consumer_group text collate "C" not null,
  message_offset bigint      not null,
  failures       integer     not null,
  last_error     text,
  last_failed_at timestamptz not null,
  primary key (shard, partition_id, consumer_group, message_offset)
);

-- Messages a group gave up on, with their own copy, so that retention never empties the dead-letter queue.
create table queen.dead_letters (
  shard          smallint    not null,
  partition_id   uuid        not null,
  consumer_group text collate "C" not null,
  message_offset bigint      not null,
  queue_id       uuid        not null,
  message_id     uuid        not null,
  transaction_id text        not null,
  payload        text        not null,
  encrypted      boolean     not null,
  trace_id       uuid,
  producer_sub   text,
  error_message  text,
  retry_count    integer     not null,
  created_at     timestamptz not null,
  failed_at      timestamptz not null,
  primary key (shard, partition_id, consumer_group, message_offset)
);
create index dead_letters_by_queue on queen.dead_letters (shard, queue_id, failed_at);

-- Where a group starts in partitions it has not read yet: decided once, at the group's first contact.
-- By name, because a group may wait for a queue that does not exist yet.
create table queen.subscriptions (
  shard          smallint    not null,
  queue          text collate "C" not null,
  consumer_group text collate "C" not null,
  partition      text collate "C" not null,  -- '' : the whole queue
  mode           text        not null check (mode in ('all', 'new', 'timestamp')),
  started_at     timestamptz,           -- messages after it; null: all
  created_at     timestamptz not null,
  primary key (shard, queue, consumer_group, partition),
  check ((mode = 'all') = (started_at is null))
);

-- Which partitions each appending transaction touched: the tail feed reads it to find work. A hint, so
-- it may vanish in a crash (unlogged): the reconcile query finds what it would have said.
create unlogged table queen.tail (
  shard         smallint    not null,
  xid           xid8        not null,
  appended_at   timestamptz not null,
  partition_ids uuid[]      not null
) with (autovacuum_vacuum_scale_factor = 0.05);
create index tail_by_xid on queen.tail (shard, xid);

-- One row per message, for people: filter by partition_id (and base offset) to keep it cheap.
create view queen.messages as
select q.name as queue,
       p.name as partition,
       s.shard,
       s.partition_id,
       s.base_offset + m.position - 1 as message_offset,
       m.message_id,
       m.transaction_id,
       m.payload,
       s.trace_ids[m.position] as trace_id,
       s.producer_subs[m.position] as producer_sub,
       s.encrypted,
       s.created_at
from queen.segments s
join queen.partitions p on p.shard = s.shard and p.id = s.partition_id
join queen.queues q on q.id = p.queue_id
cross join lateral rows from (unnest(s.message_ids), unnest(s.transaction_ids), unnest(s.payloads))
  with ordinality as m (message_id, transaction_id, payload, position);

-- What pop_v1 gives from one partition, before it is written down.
create type queen.grant_v1 as (
  request         integer,
  row_id          tid,             -- of the cursor
  partition_id    uuid,
  queue           text,
  partition       text,
  ranges          int8multirange,  -- the offsets handed out; empty: only the cursor changes
  backlog         bigint,
  committed       bigint,
  acked           int8multirange,
  lease_id        uuid,            -- null: no lease
  expires_at      timestamptz,
  batch_cap       integer,
  alone           boolean,         -- the whole answer is one message
  lone_offset     bigint,
  lone_deliveries integer
);
