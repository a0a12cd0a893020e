-- revision: 2
-- The bytes of some messages of a segment in an answer: see fitting_v1. p_bytes null: the segment is older than that
-- column. Not immutable, so that PostgreSQL inlines it.
--
-- Called by: fitting_v1, named_traces_v1.
-- Locks: none.
create or replace function queen.piece_bytes_v1(
  p_bytes integer,
  p_payloads text[],
  p_count integer,
  p_messages bigint
) returns bigint
language sql
stable
as $$
  select coalesce(p_bytes, octet_length(array_to_string(p_payloads, '')))::bigint * p_messages / p_count
           + 512 * p_messages
$$;
