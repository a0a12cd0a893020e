-- revision: 3
-- How many offsets a multirange holds.
--
-- Called by: clear_v1, count_backlog_v1, dashboard_lagging_v1, evict_v1, grant_after_failures_v1, group_offsets_v1,
-- group_partitions_v1, lagging_cached_v1, leases_v1, pop_v1, resources_partitions_v1, status_leases_v1.
-- Locks: none.
create or replace function queen.multirange_size_v1(p_ranges int8multirange) returns bigint
language sql
immutable
as $$
  select coalesce(sum(upper(r) - lower(r)), 0)::bigint from unnest(p_ranges) as r
$$;
