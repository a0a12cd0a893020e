-- Leases a range of each lane and reads it. A cursor that is elsewhere, or leased, gives nothing.
with granted as (
  update bound.cursors c
  set lease = g.lease, lease_expires_at = clock_timestamp() + interval '60 seconds'
  from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::uuid[]) as g (lane, low, high, lease)
  where c.lane = g.lane and c.committed = g.low and (c.lease is null or c.lease_expires_at < clock_timestamp())
  returning g.lane, g.low, g.high
)
select g.lane, s.created_at,
       s.message_ids[s.first : s.last] as message_ids,
       s.transaction_ids[s.first : s.last] as transaction_ids,
       s.payloads[s.first : s.last] as payloads
from granted g
cross join lateral (
  select s.*, greatest(g.low - s.base_offset + 1, 1)::integer as first,
         least(g.high - s.base_offset, s.message_count)::integer as last
  from bound.segments s
  where s.lane = g.lane and s.base_offset < g.high
    and s.base_offset >= (
      select b.base_offset from bound.segments b
      where b.lane = g.lane and b.base_offset <= g.low
      order by b.base_offset desc
      limit 1)
  order by s.base_offset
) s
