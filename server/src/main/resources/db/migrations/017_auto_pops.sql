-- What pops with autoAck took. Such messages are done once they are handed out, so a broker that gets no reply would lose
-- them: it asks for them again by the id that it gave the pop (popped_v1). Kept for ten minutes.
create table queen.auto_pops (
  shard         smallint         not null,
  pop_id        uuid             not null,
  expires_at    timestamptz      not null,
  partition_ids uuid[]           not null,  -- empty: the pop took nothing, and if it arrives late it must not
  ranges        int8multirange[] not null,  -- the offsets, by partition
  primary key (shard, pop_id)
);
create index auto_pops_by_age on queen.auto_pops (shard, expires_at);
