-- Who does which job of upkeep, and how far it is. A lease by PostgreSQL's clock, not a lock of a session: it outlives
-- connections, works behind any pooler, and ends by itself when its holder is gone. Every claim raises the token, and
-- every step names it: a holder that was away for too long changes nothing any more.
create table queen.upkeep_leases (
  job             text collate "C" primary key,
  token           bigint      not null default 0,
  holder          text,         -- null: nobody
  expires_at      timestamptz,
  run_id          uuid,         -- of the run under way, or of one that was interrupted and is to be gone on with
  run_started_at  timestamptz,
  last_started_at timestamptz,  -- when the last run began: the next one is due an interval later
  -- where the next step goes on
  at_queue        text collate "C",
  at_partition    text collate "C",  -- '': from the first of the queue; null: the queue is done
  at_id           uuid,
  at_unnamed      boolean       -- whether consumers without a group read the queue; null: not known yet
) with (fillfactor = 50);

create table queen.upkeep_runs (
  id         uuid primary key,
  job        text collate "C" not null,
  holder     text        not null,  -- who ended it
  started_at timestamptz not null,
  ended_at   timestamptz not null,
  removed    bigint      not null,
  error      text
);
create index upkeep_runs_by_job on queen.upkeep_runs (job, started_at);

-- What went, written by the transaction that removed it.
create table queen.upkeep_removed (
  bucket  timestamptz not null,  -- the minute
  run_id  uuid        not null,
  queue   text collate "C" not null,  -- '': of no queue
  rule    text collate "C" not null,
  removed bigint      not null,
  events  integer     not null,  -- transactions that removed something
  primary key (bucket, run_id, queue, rule)
);

-- When a group met a partition: an empty partition that was met lately is not left. Null in older rows.
alter table queen.cursors add column opened_at timestamptz;
alter table queen.cursors alter column opened_at set default clock_timestamp();

-- Who has subscribed to a partition? The primary key would have to be read for all partitions of the queue.
-- Expressions, so that the planner cannot take this index where a group's own subscription is looked for: it would walk through
-- those of all groups.
create index subscriptions_by_partition on queen.subscriptions ((queue || ''), (partition || ''));
