-- revision: 2
-- A moment as the HTTP contract writes it: UTC, milliseconds, whatever the session's time zone is.
--
-- Called by: postgres_statistics_v1.
-- Locks: none.
create or replace function queen.utc_text_v1(p_moment timestamptz) returns text
language sql
stable
as $$
  select to_char(p_moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
