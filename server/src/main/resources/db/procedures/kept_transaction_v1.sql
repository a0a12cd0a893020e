-- revision: 2
-- What a transaction answered that has happened under this key, as JSON; null if none has. If its content was another,
-- only that. An expired answer is removed, so that the key is free.
--
-- Called by: transaction_v1.
-- Locks: the row of the key, if it has expired.
create or replace function queen.kept_transaction_v1(
  p_shard smallint,
  p_owner text,
  p_key text,
  p_digest text,
  out o_other_content boolean,
  out o_kept text
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  delete from queen.transactions t
  where t.shard = p_shard and t.owner = p_owner and t.key = p_key and t.expires_at < clock_timestamp();
  select t.digest is distinct from p_digest,
         case when t.digest is not distinct from p_digest then row_to_json(t)::text end
  into o_other_content, o_kept
  from queen.transactions t
  where t.shard = p_shard and t.owner = p_owner and t.key = p_key;
  o_other_content := coalesce(o_other_content, false);
end
$$;
