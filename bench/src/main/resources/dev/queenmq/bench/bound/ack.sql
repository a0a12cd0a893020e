-- Everything that a lease covers is done, if it is still in force.
update bound.cursors c
set committed = a.high, lease = null, lease_expires_at = null
from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as a (lane, lease, high)
where c.lane = a.lane and c.lease = a.lease and c.lease_expires_at > clock_timestamp()
returning c.lane
