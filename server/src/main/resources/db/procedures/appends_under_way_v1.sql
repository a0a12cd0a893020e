-- revision: 3
-- The transactions that hold locks on partitions now, as those that append do until they commit: names that PostgreSQL
-- never gives twice. After a change that appends must respect, the caller waits until the transactions found here are
-- gone: later ones see the change. Costs the same however many partitions there are.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.appends_under_way_v1() returns text[]
language sql
volatile
as $$
  select coalesce(array_agg(distinct l.virtualtransaction), '{}')
  from pg_locks l
  where l.locktype = 'relation' and l.relation = 'queen.partitions'::regclass
    and l.database = (select d.oid from pg_database d where d.datname = current_database())
    and l.mode in ('RowShareLock', 'RowExclusiveLock') and l.pid is distinct from pg_backend_pid()
$$;
