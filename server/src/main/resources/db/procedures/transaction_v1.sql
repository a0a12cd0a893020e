-- revision: 2
-- Pushes and acks, all of them or none. Takes the arguments of push_v1 and of ack_v1 and answers both results; when
-- o_committed is false nothing has happened, and the results say what stood in the way: a duplicate, a queue
-- without room, a target that is gone, wants a recall or sealed messages, a failed verdict, or (o_lease_lost) a required lease that is not live.
--
-- A transaction happens once under its key (p_owner, p_key; null: it has none). The last thing that it does is to write the key
-- down, with its answer; if another transaction was faster, this one is undone. p_look says that one with the same key may
-- have happened: the client chose the key, or the broker sends the same transaction again because it got no reply. o_kept is
-- the answer of the one that has happened, as JSON; o_other_content says that its content was another (p_digest).
-- The key is written behind all other locks, and nothing is waited for after it, so it closes no ring.
--
-- Locks: hiding (shared), if cursors may be made; partitions, capacities, then cursors, each in key order: also a lease that is
-- only required is looked at after the push.
create or replace function queen.transaction_v1(
  p_shard smallint,
  p_queues text[],
  p_partitions text[],
  p_partition_ids uuid[],
  p_sorted boolean,
  p_count integer[],
  p_known bigint[],
  p_known_window integer[],
  p_repeats boolean[],
  p_recall_limit integer,
  p_segment_target integer[],
  p_segment_count integer[],
  p_segment_encrypted boolean[],
  p_plain boolean,
  p_message_segment integer[],
  p_message_ids uuid[],
  p_transaction_ids text[],
  p_payloads text[],
  p_trace_ids uuid[],
  p_producer_subs text[],
  p_suspect_message integer[],
  p_suspect_offset bigint[],
  p_careful boolean,
  p_cursor_ids uuid[],
  p_cursor_groups text[],
  p_cursor_counts integer[],
  p_cursor_leases uuid[],
  p_ack_transaction_ids text[],
  p_ack_offsets bigint[],
  p_ack_lease_ids uuid[],
  p_ack_statuses text[],
  p_ack_errors text[],
  p_required_leases uuid[],
  p_owner text,
  p_key text,
  p_digest text,
  p_transaction_id uuid,
  p_keep_seconds integer,
  p_look boolean,
  p_push_operations integer[],
  p_ack_operations integer[],
  out o_committed boolean,
  out o_lease_lost boolean,
  out o_target integer[],
  out o_partition_id uuid[],
  out o_base_offset bigint[],
  out o_created_at timestamptz[],
  out o_dedup_window integer[],
  out o_recall boolean[],
  out o_duplicate_message integer[],
  out o_duplicate_id uuid[],
  out o_full boolean[],
  out o_capped boolean,
  out o_unseen_from bigint[],
  out o_unseen_ids text[],
  out o_xid bigint,
  out o_encrypted boolean[],
  out o_error text[],
  out o_queue text[],
  out o_partition text[],
  out o_released boolean[],
  out o_dead boolean[],
  out o_other_content boolean,
  out o_kept text
)
language plpgsql
set enable_seqscan = off
set jit = off
as $$
declare
  v_locked integer[];  -- places of verdicts' cursors; null: not locked yet
  v_written integer;
begin
  o_committed := false;
  o_lease_lost := false;
  if p_look then
    select k.o_other_content, k.o_kept into o_other_content, o_kept
    from queen.kept_transaction_v1(p_shard, p_owner, p_key, p_digest) k;
    if o_other_content or o_kept is not null then
      return;
    end if;
  end if;
  if coalesce(cardinality(p_required_leases), 0) = 0 and array_position(p_ack_lease_ids, null) is not null then
    perform queen.hiding_lock_v1(p_shard, false);
  end if;
  begin
    if cardinality(p_partition_ids) > 0 then
      select r.o_target, r.o_partition_id, r.o_base_offset, r.o_created_at, r.o_dedup_window, r.o_recall,
             r.o_duplicate_message, r.o_duplicate_id, r.o_full, r.o_capped, r.o_unseen_from, r.o_unseen_ids, r.o_xid,
             r.o_encrypted
      into o_target, o_partition_id, o_base_offset, o_created_at, o_dedup_window, o_recall,
           o_duplicate_message, o_duplicate_id, o_full, o_capped, o_unseen_from, o_unseen_ids, o_xid, o_encrypted
      from queen.push_v1(
        p_shard, p_queues, p_partitions, p_partition_ids, p_sorted, p_count, p_known, p_known_window, p_repeats, p_recall_limit,
        p_segment_target, p_segment_count, p_segment_encrypted, p_plain, p_message_segment, p_message_ids,
        p_transaction_ids, p_payloads, p_trace_ids, p_producer_subs, p_suspect_message, p_suspect_offset,
        p_careful, 0, '{}', '{}', (select max(octet_length(m.payload)) from unnest(p_payloads) as m (payload))) r;
    end if;
    if cardinality(p_required_leases) > 0 then
      -- The cursors of the leases and of the verdicts in one pass: two passes would be two orders.
      select coalesce(array_agg(k.place) filter (where k.place > 0), '{}'),
             not coalesce(p_required_leases <@ array_agg(c.lease_id) filter (where c.lease_expires_at > clock_timestamp()), false)
      into v_locked, o_lease_lost
      from (
        select u.id, u.consumer_group, max(u.place)::integer as place
        from (
          select u.id, u.consumer_group collate "C" as consumer_group, u.place
          from rows from (unnest(p_cursor_ids), unnest(p_cursor_groups)) with ordinality as u (id, consumer_group, place)
          union all
          select c.partition_id, c.consumer_group, 0
          from unnest(p_required_leases) as l (id)
          cross join lateral (
            select c.partition_id, c.consumer_group
            from queen.cursors c
            where substr(l.id::text, 15, 1) = '8' and c.shard = p_shard
              and c.partition_id between (left(l.id::text, 13) || '-0000-0000-000000000000')::uuid
                                     and (left(l.id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid
              and c.lease_id = l.id
            union all
            select p.id, s.consumer_group
            from queen.leases s
            cross join lateral unnest(s.partition_ids) as p (id)
            where s.shard = p_shard and s.lease_id = l.id
          ) c
        ) u
        group by u.id, u.consumer_group
        order by 1, 2
        offset 0
      ) k
      cross join lateral (
        select c.lease_id, c.lease_expires_at
        from queen.cursors c
        where c.shard = p_shard and c.partition_id = k.id and c.consumer_group = k.consumer_group
        for no key update
      ) c;
      if o_lease_lost then
        raise exception 'rolled back' using errcode = 'QM001';
      end if;
    end if;
    if cardinality(p_cursor_ids) > 0 then
      select r.o_error, r.o_queue, r.o_partition, r.o_released, r.o_dead
      into o_error, o_queue, o_partition, o_released, o_dead
      from queen.ack_v1(
        p_shard, p_cursor_ids, p_cursor_groups, p_cursor_counts, p_cursor_leases, p_ack_transaction_ids, p_ack_offsets,
        p_ack_lease_ids, p_ack_statuses, p_ack_errors, nullif(p_required_leases, '{}'), v_locked) r;
    end if;
    o_committed := coalesce(cardinality(o_target), 0) = cardinality(p_partition_ids)
      and not coalesce(true = any (o_recall), false)
      and coalesce(cardinality(o_duplicate_message), 0) = 0
      and o_full is null
      and coalesce(cardinality(array_remove(o_error, null)), 0) = 0;
    if not o_committed then
      raise exception 'rolled back' using errcode = 'QM001';
    end if;
    if p_key is not null then
      insert into queen.transactions (
        shard, owner, key, digest, transaction_id, expires_at, push_operations, message_ids, transaction_ids, partition_ids,
        ack_operations, dead)
      values (
        p_shard, p_owner, p_key, p_digest, p_transaction_id, clock_timestamp() + make_interval(secs => p_keep_seconds),
        p_push_operations, p_message_ids, p_transaction_ids,
        array(select o_partition_id[array_position(o_target, p_segment_target[m.segment])]
              from unnest(p_message_segment) with ordinality as m (segment, n) order by m.n),
        p_ack_operations, o_dead)
      on conflict (shard, owner, key) do nothing;
      get diagnostics v_written = row_count;
      if v_written = 0 then
        o_committed := false;
        raise exception 'happened before' using errcode = 'QM001';
      end if;
    end if;
  exception
    when sqlstate 'QM001' then
      null;  -- the block's work is undone; the results, being variables, are kept
  end;
  if not o_committed and (p_look or v_written = 0) then
    -- Another with this key may have been under way, and be what stood in the way.
    select k.o_other_content, k.o_kept into o_other_content, o_kept
    from queen.kept_transaction_v1(p_shard, p_owner, p_key, p_digest) k;
  end if;
end
$$;
