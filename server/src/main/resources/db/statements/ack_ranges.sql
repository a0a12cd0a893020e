-- The same as ack_range for any number of leases: all of them or none. Parameters are arrays, sorted by (partition, group): that
-- is the order of the locks.
-- The rows are found and locked by key, and then updated by ctid. In one update that joins them, the planner would walk through all
-- cursors of the shard while the table has no statistics. A row that has changed since the snapshot is locked in its new version,
-- which the snapshot does not show: then nothing is changed here.
with found as materialized (
  select c.row_id, u.high, u.done
  from (
    select u.id, u.consumer_group, u.lease_id, u.low, u.high, u.start, u.done
    from rows from (unnest($2::uuid[]), unnest($3::text[]), unnest($4::uuid[]), unnest($5::bigint[]), unnest($6::bigint[]),
                    unnest($7::bigint[]), unnest($8::bigint[]))
      as u (id, consumer_group, lease_id, low, high, start, done)
    offset 0
  ) u
  cross join lateral (
    select c.ctid as row_id
    from queen.cursors c
    where c.shard = $1 and c.partition_id = u.id and c.consumer_group = u.consumer_group
      and c.lease_id = u.lease_id and c.lease_expires_at > clock_timestamp()
      and c.leased = int8multirange(int8range(u.low, u.high)) and c.committed = u.start
      and isempty(c.acked) and not c.has_attempts
    for no key update
  ) c
  cross join lateral (
    select p.first_offset
    from queen.partitions p
    where p.shard = $1 and p.id = u.id and p.first_offset <= u.start
    offset 0
  ) p
), seen as materialized (
  select c.ctid as row_id, f.high, f.done
  from found f
  cross join lateral (select c.ctid from queen.cursors c where c.shard = $1 and c.ctid = f.row_id offset 0) c
)
update queen.cursors c
set committed = s.done,
    lease_id = case when s.done < s.high then c.lease_id end,
    lease_expires_at = case when s.done < s.high then c.lease_expires_at end,
    leased = case when s.done < s.high then c.leased else '{}' end,
    batch_cap = case when s.done < s.high then c.batch_cap when c.batch_cap <= 1024 then c.batch_cap * 2 end,
    last_consumed_at = clock_timestamp()
from seen s
where c.shard = $1 and c.ctid = s.row_id and (select count(*) from seen) = cardinality($2::uuid[])
