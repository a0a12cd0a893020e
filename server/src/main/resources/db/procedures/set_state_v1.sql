-- revision: 2
-- Sets what all brokers have to know under a key; answers when, in milliseconds, later each time.
--
-- Called by: the broker.
-- Locks: the row of the key.
create or replace function queen.set_state_v1(p_key text, p_value jsonb) returns bigint
language sql
as $$
  insert into queen.system_state as s (key, value, updated_at)
  values (p_key, p_value, clock_timestamp())
  on conflict (key) do update
  set value = excluded.value, updated_at = greatest(clock_timestamp(), s.updated_at + interval '1 millisecond')
  returning floor(extract(epoch from s.updated_at) * 1000)::bigint;
$$;
