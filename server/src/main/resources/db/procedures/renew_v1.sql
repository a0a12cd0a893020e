-- revision: 3
-- Extends leases, each on every partition it holds: to now + p_seconds, never shorter than it was. Answers per lease
-- 'live' (with the earliest expiry of its partitions), 'expired' or 'missing'. With 0 seconds it only looks. Of several
-- extensions of one lease the longest counts. A lease is found by its id alone: see pop_v1.
--
-- Called by: the broker.
-- Locks: cursors, in key order.
create or replace function queen.renew_v1(
  p_shard smallint,
  p_lease_ids uuid[],
  p_seconds integer[],
  out o_status text[],
  out o_expires_at timestamptz[]
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_now timestamptz;
  v_lease integer[];
  v_row tid[];
  v_expires timestamptz[];
  -- Per lease of the call: an update that finds two rows for one cursor would take either.
  v_seconds constant integer[] := array(
    select max(l.seconds) over (partition by l.id)
    from unnest(p_lease_ids, p_seconds) with ordinality as l (id, seconds, n)
    order by l.n);
begin
  select array_agg(k.lease), array_agg(c.row_id), array_agg(c.lease_expires_at)
  into v_lease, v_row, v_expires
  from (
    select l.n::integer as lease, l.id, c.partition_id, c.consumer_group
    from unnest(p_lease_ids) with ordinality as l (id, n)
    cross join lateral queen.lease_cursors_v1(p_shard, l.id) c
    order by c.partition_id, c.consumer_group collate "C"
    offset 0
  ) k
  cross join lateral (
    select c.ctid as row_id, c.lease_id, c.lease_expires_at
    from queen.cursors c
    where c.shard = p_shard and c.partition_id = k.partition_id and c.consumer_group = k.consumer_group
    for no key update
  ) c
  where c.lease_id = k.id;
  v_now := clock_timestamp();

  update queen.cursors c
  set lease_expires_at = v_now + make_interval(secs => v_seconds[w.lease])
  from unnest(v_lease, v_row, v_expires) as w (lease, row_id, expires)
  where c.shard = p_shard and c.ctid = w.row_id and w.expires > v_now
    and w.expires < v_now + make_interval(secs => v_seconds[w.lease]);

  select array_agg(case when f.live > 0 then 'live' when f.known > 0 then 'expired' else 'missing' end order by l.n),
         array_agg(f.expires order by l.n)
  into o_status, o_expires_at
  from generate_series(1, cardinality(p_lease_ids)) as l (n)
  cross join lateral (
    select count(*) as known, count(*) filter (where w.expires > v_now) as live,
           min(greatest(w.expires, v_now + make_interval(secs => v_seconds[l.n])))
             filter (where w.expires > v_now) as expires
    from unnest(v_lease, v_expires) as w (lease, expires)
    where w.lease = l.n
  ) f;
end
$$;
