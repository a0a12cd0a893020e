-- Trimming and vacuum for a day at full rate: a thousand pushes, pops and acks a second take 260 million transaction ids a day, and write
-- as many rows. Why each number: docs/store.md, "Vacuum".

-- When the list of partitions of a lease is looked at for the first time. Most leases are answered by then; one that is still held is
-- looked at again when it ends.
alter table queen.leases
  add column check_at timestamptz not null default clock_timestamp() + interval '2 minutes';
create index leases_to_check on queen.leases (shard, check_at);

-- Short-lived rows, removed oldest first: vacuumed every some ten thousand dead rows, whatever the size, without pauses. Not truncated:
-- the space is used again at once, and truncating would lock out those who append.
alter table queen.tail set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 200000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);
alter table queen.leases set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 200000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);

-- Updated in place all the time: dead row versions are pruned page by page, vacuum has to keep up with the index entries only.
alter table queen.partitions set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 1, autovacuum_vacuum_cost_limit = 2000, vacuum_truncate = false);
alter table queen.cursors set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 1, autovacuum_vacuum_cost_limit = 2000, vacuum_truncate = false);

-- Inserted once, never updated, deleted whole. Vacuums that inserts cause freeze what is older than a few minutes, so that the vacuum
-- against wraparound finds nearly all pages frozen. The same for the payloads' TOAST table, which is most of the bytes.
alter table queen.segments set (
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000,
  autovacuum_freeze_min_age = 1000000, autovacuum_freeze_table_age = 100000000,
  autovacuum_vacuum_cost_delay = 1, autovacuum_vacuum_cost_limit = 2000, vacuum_truncate = false,
  toast.autovacuum_vacuum_insert_scale_factor = 0.05, toast.autovacuum_vacuum_insert_threshold = 50000,
  toast.autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_threshold = 10000,
  toast.autovacuum_freeze_min_age = 1000000, toast.autovacuum_freeze_table_age = 100000000,
  toast.autovacuum_vacuum_cost_delay = 1, toast.autovacuum_vacuum_cost_limit = 2000, toast.vacuum_truncate = false);
