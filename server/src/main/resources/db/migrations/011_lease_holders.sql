-- What operators ask about a lease: who holds it and since when. Both stay behind when the lease ends: only a row with a live lease
-- says something. Last in the row, so that an update that leaves them alone writes little of them to the log.
--
-- redeliveries: pairs (offset, count), by offset: count leases that covered everything undone below the offset ended without an
-- answer. A message has been delivered as often as the counts of the pairs above it add up to (see redeliveries_v1). Null mostly.
alter table queen.cursors
  add column redeliveries bigint[],
  add column leased_at    timestamptz,
  add column lease_holder text;          -- JSON: address, subject, broker

alter type queen.grant_v1 add attribute redeliveries bigint[];

-- Who may not pop: {"": {...}} all groups, {"group": {...}} that group; with "since" and "by". Null: everybody may.
alter table queen.queues add column pauses jsonb;
