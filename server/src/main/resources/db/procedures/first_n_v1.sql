-- revision: 2
-- The first n offsets of [p_start, p_end) that are not in p_done.
--
-- Called by: evict_v1, grant_after_failures_v1, stream_ack_v1.
-- Locks: none.
create or replace function queen.first_n_v1(
  p_start bigint,
  p_end bigint,
  p_done int8multirange,
  p_n integer
) returns int8multirange
language plpgsql
immutable
as $$
declare
  v_taken int8multirange := '{}';
  v_left bigint := p_n;
  v_range int8range;
begin
  if isempty(p_done) then
    return int8multirange(int8range(p_start, least(p_start + p_n, p_end)));
  end if;
  for v_range in select unnest(int8multirange(int8range(p_start, p_end)) - p_done) loop
    exit when v_left <= 0;
    v_taken := v_taken
      + int8multirange(int8range(lower(v_range), least(upper(v_range), lower(v_range) + v_left)));
    v_left := v_left - (upper(v_range) - lower(v_range));
  end loop;
  return v_taken;
end
$$;
