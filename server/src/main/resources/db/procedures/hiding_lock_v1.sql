-- revision: 1
-- Keeps those who make cursors and those who hide messages apart: hiding marks the cursors that exist, and a cursor that
-- is just being made, by somebody who cannot see yet what is hidden, would be missed. Makers share the lock, hiding takes
-- it alone. The first of all locks: who wants it holds no other.
create or replace function queen.hiding_lock_v1(p_shard smallint, p_alone boolean) returns void
language plpgsql
as $$
begin
  if p_alone then
    perform pg_advisory_xact_lock(1751737454, p_shard);  -- "hidn"
  else
    perform pg_advisory_xact_lock_shared(1751737454, p_shard);
  end if;
end
$$;
