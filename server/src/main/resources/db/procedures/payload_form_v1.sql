-- revision: 2
-- How a payload is stored, and what its queue demands of one of that age: 0 plain, 1 sealed in whatever form, 2 sealed
-- and bound to its message, 3 plain though it had to be sealed. p_sealed_since is null for a queue that is not
-- encrypted. Brokers refuse to deliver 3, and an unbound payload as 2. One expression, so that PostgreSQL inlines it.
--
-- Called by: dead_letters_v1, message_v1, named_traces_v1, pop_v1, reseal_letters_v1, reseal_segments_v1,
-- unsealed_letters_v1.
-- Locks: none.
create or replace function queen.payload_form_v1(
  p_encrypted boolean,
  p_created_at timestamptz,
  p_sealed_since timestamptz,
  p_bound_since timestamptz
) returns smallint
language sql
immutable
parallel safe
as $$
  select case
    when p_encrypted then case when p_created_at > p_bound_since then 2::smallint else 1::smallint end
    when p_created_at > p_sealed_since then 3::smallint
    else 0::smallint
  end
$$;
