-- What concerns all partitions is worked out in pages, each in a transaction of its own. Why: docs/decisions/035.

-- The sums over all partitions that are being made: see statistics_step_v1. Locked through the row of statistics_state. May
-- vanish in a crash, all of it at once: the pass then begins again.
create unlogged table queen.statistics_pass (
  shard       smallint    primary key,
  started_at  timestamptz not null,
  stepped_at  timestamptz not null,  -- when the last page was done
  tidy        boolean     not null,  -- whether it forgets what is no longer lagging
  summing     boolean     not null default false,  -- first it finds unnamed, then it sums up
  unnamed     uuid[]      not null default '{}',   -- the queues that consumers without a group have read
  after       uuid        not null default '00000000-0000-0000-0000-000000000000',  -- the last partition done
  work_ms     double precision not null default 0,
  partitions  bigint      not null default 0,
  looked_up   bigint      not null default 0,
  known       bigint      not null default 0,
  removed     bigint      not null default 0,
  failed      bigint      not null default 0,
  pending_sum numeric     not null default 0,
  pending_min bigint,
  pending_max bigint,
  age_sum     double precision not null default 0,
  age_min     double precision,
  age_max     double precision,
  oldest_at   timestamptz
);
create unlogged table queen.statistics_pass_queues (
  like queen.statistics_queues including indexes
) with (fillfactor = 50);
create unlogged table queen.statistics_pass_groups (
  like queen.statistics_groups including indexes
) with (fillfactor = 50);
-- How many partitions have so many messages pending, and so old ones, for the medians.
create unlogged table queen.statistics_pass_spread (
  shard      smallint         not null,
  measure    text collate "C" not null,  -- pending, age
  value      double precision not null,
  partitions bigint           not null,
  primary key (shard, measure, value)
) with (fillfactor = 50);

-- A queue with many partitions is not measured by a push but in pages: see measure_step_v1.
alter table queen.capacities
  add column large      boolean     not null default false,  -- so many partitions that no push measures it
  add column wanted     boolean     not null default false,  -- a push has asked for a measurement
  add column known      boolean     not null default true,   -- depth counts all that was appended since a measurement
  add column appended   bigint      not null default 0,      -- all that was ever let in
  add column checked_at timestamptz not null default '-infinity';  -- when its partitions were last counted

-- The measurements that are under way. Only measure_step_v1 locks rows here, before it locks capacities.
create table queen.measurements (
  shard      smallint    not null,
  queue_id   uuid        not null,
  stepped_at timestamptz not null,
  version    bigint      not null,  -- of the queue's settings when it began
  changed    boolean     not null,  -- whether the settings had changed since the measurement before
  subscribed integer     not null,  -- so many groups had subscribed
  appended   bigint      not null,  -- capacities.appended when it began: what came later is added at the end
  groups     text[]      not null,  -- those that have read the queue, as far as found
  summing    boolean     not null default false,  -- first it finds the groups, then it sums up
  after      text collate "C" not null default '',  -- the last partition done, by name
  partitions bigint      not null default 0,
  depth      bigint      not null default 0,
  looked_at  bigint      not null default 0,
  primary key (shard, queue_id)
) with (fillfactor = 50);
