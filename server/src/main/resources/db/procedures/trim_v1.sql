-- revision: 7
-- A step of trimming. Removes at most p_limit rows of the tail that are older than p_keep, and looks at no more than
-- p_limit lists of leases that are due to be checked. A list that no cursor holds any more is removed; another one is
-- checked again when its lease ends. Answers how many rows each half processed: a half that answers about p_limit has
-- more to do.
--
-- Both halves read the oldest entries of an index, so a step costs the same however long the history is.
--
-- Called by: the broker.
-- Locks: the rows that are removed or checked, skipped if locked.
create or replace function queen.trim_v1(
  p_shard smallint,
  p_keep interval,
  p_limit integer,
  out o_tail integer,
  out o_leases integer
)
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
set cpu_index_tuple_cost = 100  -- rows by ctid are found by it alone: docs/decisions/011-plans.md
set jit = off
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_held uuid[];
  v_until timestamptz[];
  v_free uuid[];
begin
  delete from queen.tail t
  where t.shard = p_shard and t.ctid = any (array(
    select t.ctid
    from queen.tail t
    where t.shard = p_shard and t.ctid = any (array(
      select o.row_id
      from (
        select t.ctid as row_id, t.appended_at
        from queen.tail t
        where t.shard = p_shard
        order by t.shard, t.xid
        limit p_limit
      ) o
      where o.appended_at < v_now - p_keep))
    for update skip locked));
  get diagnostics o_tail = row_count;

  select coalesce(array_agg(l.lease_id) filter (where h.until is null), '{}'),
         coalesce(array_agg(l.lease_id) filter (where h.until is not null), '{}'),
         coalesce(array_agg(h.until) filter (where h.until is not null), '{}')
  into v_free, v_held, v_until
  from (
    select l.lease_id, l.consumer_group, l.partition_ids
    from queen.leases l
    where l.shard = p_shard and l.check_at < v_now
    order by l.shard, l.check_at
    limit p_limit
    for update skip locked
  ) l
  cross join lateral (
    select max(c.lease_expires_at) as until
    from unnest(l.partition_ids) as p (id)
    cross join lateral (
      select c.lease_expires_at, c.lease_id from queen.cursors c
      where c.shard = p_shard and c.partition_id = p.id and c.consumer_group = l.consumer_group
      offset 0
    ) c
    where c.lease_id = l.lease_id
    offset 0
  ) h;
  delete from queen.leases l where l.shard = p_shard and l.lease_id = any (v_free);
  -- A lease that has ended, but that no pop has found so yet, is looked at again a minute later.
  update queen.leases l
  set check_at = greatest(h.until, v_now + interval '1 minute')
  from unnest(v_held, v_until) as h (lease_id, until)
  where l.shard = p_shard and l.lease_id = h.lease_id;
  o_leases := cardinality(v_free) + cardinality(v_held);
end
$$;
