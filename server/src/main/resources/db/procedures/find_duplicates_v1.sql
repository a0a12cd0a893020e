-- revision: 2
-- Which of a call's messages repeat a transaction id that is stored in [from, next) of their partition, and was created
-- after a moment? Answers their positions and the first message's id. Arrays by target; targets with from = next are
-- skipped. No nested loops where they can be avoided: a loop over both sides would be quadratic.
--
-- Called by: push_v1.
-- Locks: none.
create or replace function queen.find_duplicates_v1(
  p_shard smallint,
  p_ids uuid[],
  p_from bigint[],
  p_next bigint[],
  p_after timestamptz[],
  p_message_target integer[],
  p_transaction_ids text[],
  out o_messages integer[],
  out o_message_ids uuid[]
)
language plpgsql
set enable_seqscan = off
set enable_nestloop = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  select coalesce(array_agg(d.message), '{}'), coalesce(array_agg(d.id), '{}')
  into o_messages, o_message_ids
  from (
    select distinct on (m.position) m.position::integer as message, i.id
    from rows from (unnest(p_ids), unnest(p_from), unnest(p_next), unnest(p_after))
      with ordinality as l (id, from_offset, next_offset, after, target)
    cross join lateral (
      select s.base_offset, s.transaction_ids, s.message_ids
      from queen.segments s
      where s.shard = p_shard and s.partition_id = l.id
        and s.base_offset >= l.from_offset and s.base_offset < l.next_offset
        and s.created_at > l.after
      offset 0
    ) s
    cross join lateral unnest(s.transaction_ids, s.message_ids) as i (transaction_id, id)
    join rows from (unnest(p_transaction_ids), unnest(p_message_target))
      with ordinality as m (transaction_id, target, position)
      on m.transaction_id = i.transaction_id and m.target = l.target
    where l.from_offset < l.next_offset
    order by m.position, s.base_offset
  ) d;
end
$$;
