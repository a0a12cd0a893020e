-- revision: 2
-- Keeps transactions that make cursors and transactions that hide messages apart: hiding marks the cursors that exist,
-- and would miss a cursor that is just being made by a transaction that cannot see yet what is hidden. Makers share the
-- lock, hiding takes it alone.
--
-- Called by: delete_group_v1, delete_message_v1, evict_v1, first_contact_v1, move_subscription_v1, open_cursors_v1,
-- redrive_v1, seek_v1, stream_cycle_v1, transaction_v1, undo_auto_pop_v1.
-- Locks: an advisory lock of the shard, called "hiding". The first of all locks: the caller holds no other.
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
