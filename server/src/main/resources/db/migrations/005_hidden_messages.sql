-- Messages that not every group may see: one that was deleted, or a dead letter that was given back to one group. Cursors
-- count them as done from the moment they exist, so nobody who delivers or counts has to look here (see hide_v1).
create table queen.hidden (
  shard          smallint not null,
  partition_id   uuid     not null,
  message_offset bigint   not null,
  only_group     text collate "C",  -- who still sees it; null: nobody
  primary key (shard, partition_id, message_offset)
);

-- What calls to redrive dead letters answered, for a day, so that a call that is made again is not carried out again.
create table queen.redrives (
  shard      smallint    not null,
  queue_id   uuid        not null,
  request_id text collate "C" not null,
  made_at    timestamptz not null,
  redriven   integer     not null,
  remaining  bigint      not null,
  primary key (shard, queue_id, request_id)
);
create index redrives_by_time on queen.redrives (shard, made_at);
