-- revision: 2
-- A step of the pass that seals again what is stored: replaces payloads that were read before (reseal_segments_v1,
-- reseal_letters_v1) and have not changed since by sealed ones, and records where the next step starts. Items are
-- segments, or dead letters where p_groups names a group; the payloads of all items are laid end to end, p_items says
-- to which item each belongs. p_left counts payloads that could not be decrypted, p_left_queues are their queues.
-- o_state: 'more'; 'done', the pass is complete; 'lost', another broker has it, and nothing was done.
--
-- After a complete pass everything in a queue is sealed and bound that was there when the pass began, so no plain and
-- no unbound payload is accepted there any more, whatever its time. Not so where something was left.
--
-- Called by: the broker.
-- Locks: the row of the pass; segments or dead letters, in key order and never waited for; queues, likewise.
create or replace function queen.reseal_store_v1(
  p_shard smallint,
  p_broker uuid,
  p_pass_id uuid,
  p_lease interval,
  p_partition_ids uuid[],
  p_groups text[],
  p_offsets bigint[],
  p_versions text[],
  p_queue_ids uuid[],
  p_items integer[],
  p_payloads text[],
  p_left bigint,
  p_left_queues uuid[],
  p_next_partition uuid,
  p_next_group text,
  p_next_offset bigint,
  out o_state text,
  out o_stored bigint
)
language plpgsql
set enable_seqscan = off
set jit = off
as $$
declare
  v_r queen.resealing;
  v_stored integer[];
  v_left uuid[];
begin
  o_stored := 0;
  select r.* into v_r
  from queen.resealing r
  where r.shard = p_shard and r.pass_id = p_pass_id and r.holder = p_broker
  for no key update;
  if not found then
    o_state := 'lost';
    return;
  end if;

  if cardinality(p_partition_ids) > 0 and not v_r.letters then
    with sealed as (
      update queen.segments s
      set payloads = w.payloads, encrypted = true
      from (
        select u.n, u.id, u.o,
               (select array_agg(i.payload order by i.n)
                from rows from (unnest(p_items), unnest(p_payloads)) with ordinality as i (item, payload, n)
                where i.item = u.n) as payloads
        from rows from (unnest(p_partition_ids), unnest(p_offsets), unnest(p_versions))
          with ordinality as u (id, o, version, n)
        cross join lateral (
          select s.base_offset
          from queen.segments s
          where s.shard = p_shard and s.partition_id = u.id and s.base_offset = u.o and s.xmin::text = u.version
          for no key update skip locked
        ) l
      ) w
      where s.shard = p_shard and s.partition_id = w.id and s.base_offset = w.o
      returning w.n, s.message_count
    )
    select array_agg(d.n::integer), coalesce(sum(d.message_count), 0) into v_stored, o_stored from sealed d;
  elsif cardinality(p_partition_ids) > 0 then
    with sealed as (
      update queen.dead_letters d
      set payload = w.payload, encrypted = true
      from (
        select u.n, u.id, u.consumer_group, u.o, u.payload
        from rows from (
            unnest(p_partition_ids), unnest(p_groups), unnest(p_offsets), unnest(p_versions), unnest(p_payloads))
          with ordinality as u (id, consumer_group, o, version, payload, n)
        cross join lateral (
          select d.message_offset
          from queen.dead_letters d
          where d.shard = p_shard and d.partition_id = u.id and d.consumer_group = u.consumer_group
            and d.message_offset = u.o and d.xmin::text = u.version
          for no key update skip locked
        ) l
      ) w
      where d.shard = p_shard and d.partition_id = w.id and d.consumer_group = w.consumer_group
        and d.message_offset = w.o
      returning w.n
    )
    select array_agg(d.n::integer), count(*) into v_stored, o_stored from sealed d;
  end if;
  -- What changed meanwhile is left to the next pass, unless it is gone.
  v_left := array(
    select u.queue_id
    from rows from (unnest(p_partition_ids), unnest(p_groups), unnest(p_offsets), unnest(p_queue_ids))
      with ordinality as u (id, consumer_group, o, queue_id, n)
    where u.n <> all (coalesce(v_stored, '{}')) and (
      (u.consumer_group is null and exists (
        select from queen.segments s where s.shard = p_shard and s.partition_id = u.id and s.base_offset = u.o))
      or exists (
        select
        from queen.dead_letters d
        where d.shard = p_shard and d.partition_id = u.id and d.consumer_group = u.consumer_group
          and d.message_offset = u.o)));

  v_r.left_queues := array(select distinct q.id from unnest(v_r.left_queues || v_left || p_left_queues) as q (id));
  update queen.resealing r
  set expires_at = clock_timestamp() + p_lease,
      messages = r.messages + case when v_r.letters then 0 else o_stored end,
      dead_letters = r.dead_letters + case when v_r.letters then o_stored else 0 end,
      left_over = r.left_over + p_left + cardinality(v_left),
      left_queues = v_r.left_queues,
      letters = r.letters or p_next_partition is null,
      at_partition = p_next_partition,
      at_group = p_next_group,
      at_offset = p_next_offset
  where r.shard = p_shard;
  o_state := 'more';
  if p_next_partition is not null or not v_r.letters then
    return;
  end if;

  o_state := 'done';
  update queen.resealing r
  set complete_key = r.key_id, pass_id = null, holder = null, expires_at = null, ended_at = clock_timestamp()
  where r.shard = p_shard;
  update queen.queues q
  set sealed_since = case
        when q.encryption_enabled and q.sealed_since <= v_r.started_at then '-infinity'
        else q.sealed_since
      end,
      bound_since = case when q.bound_since <= v_r.started_at then '-infinity' else q.bound_since end
  from (
    select w.id
    from queen.queues w
    where ((w.encryption_enabled and w.sealed_since > '-infinity' and w.sealed_since <= v_r.started_at)
        or (w.bound_since > '-infinity' and w.bound_since <= v_r.started_at))
      and w.id <> all (v_r.left_queues)
    order by w.name collate "C"
    for no key update skip locked
  ) w
  where q.id = w.id;
end
$$;
