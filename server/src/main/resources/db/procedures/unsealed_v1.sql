-- revision: 2
-- Whether a payload has to be sealed, or sealed again, before its message may be stored as a new one: it is plain, and
-- by right, in a queue that is encrypted now (p_sealed_since, else null); or it is sealed in the form that is not
-- bound. One expression, so that PostgreSQL inlines it.
--
-- Called by: redrive_v1, unsealed_letters_v1.
-- Locks: none.
create or replace function queen.unsealed_v1(
  p_payload text,
  p_encrypted boolean,
  p_created_at timestamptz,
  p_sealed_since timestamptz
) returns boolean
language sql
immutable
parallel safe
as $$
  select case
    when p_encrypted then p_payload not like '{"v":"2",%'
    else coalesce(p_created_at <= p_sealed_since, false)
  end
$$;
