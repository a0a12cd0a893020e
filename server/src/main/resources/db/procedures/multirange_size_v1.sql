-- revision: 1
-- How many offsets a multirange holds.
create or replace function queen.multirange_size_v1(p_ranges int8multirange) returns bigint
language sql
immutable
as $$
  select coalesce(sum(upper(r) - lower(r)), 0)::bigint from unnest(p_ranges) as r
$$;
