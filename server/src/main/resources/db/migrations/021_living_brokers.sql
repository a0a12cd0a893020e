-- Which brokers are up, so that each knows whether others append and consume. See register_broker_v1 and tail_v2. A broker writes its row
-- at its start and every few seconds, and removes it at its end. May vanish in a crash: the rows are written again.
create unlogged table queen.living_brokers (
  shard   smallint    not null,
  broker  uuid        not null,  -- of one start of a broker
  seen_at timestamptz not null,
  primary key (shard, broker)
) with (fillfactor = 50);
