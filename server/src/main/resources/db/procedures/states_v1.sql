-- revision: 2
-- What all brokers have to know, and since when, in milliseconds.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.states_v1() returns table (key text, value jsonb, set_at bigint)
language sql
stable
as $$
  select s.key, s.value, floor(extract(epoch from s.updated_at) * 1000)::bigint from queen.system_state s;
$$;
