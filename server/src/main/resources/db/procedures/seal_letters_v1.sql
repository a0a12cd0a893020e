-- revision: 2
-- Replaces payloads of dead letters that were read before and have not changed since by sealed ones. Answers how many;
-- one that another transaction has locked is left as it is.
--
-- Called by: the broker.
-- Locks: dead letters, which are never waited for.
create or replace function queen.seal_letters_v1(
  p_shard smallint,
  p_partition_ids uuid[],
  p_groups text[],
  p_offsets bigint[],
  p_versions text[],
  p_payloads text[]
) returns integer
language plpgsql
set enable_seqscan = off
set jit = off
as $$
declare
  v_sealed integer;
begin
  update queen.dead_letters d
  set payload = w.payload, encrypted = true
  from (
    select u.id, u.consumer_group, u.o, u.payload
    from unnest(p_partition_ids, p_groups, p_offsets, p_versions, p_payloads)
      as u (id, consumer_group, o, version, payload)
    cross join lateral (
      select d.message_offset
      from queen.dead_letters d
      where d.shard = p_shard and d.partition_id = u.id and d.consumer_group = u.consumer_group
        and d.message_offset = u.o and d.xmin::text = u.version
      for no key update skip locked
    ) l
  ) w
  where d.shard = p_shard and d.partition_id = w.id and d.consumer_group = w.consumer_group and d.message_offset = w.o;
  get diagnostics v_sealed = row_count;
  return v_sealed;
end
$$;
