-- revision: 2
-- Pushes and acks, all of them or none. Takes the arguments of push_v1 and of ack_v1 and answers both results; when
-- o_committed is false nothing has happened, and the results say why: a duplicate, a queue without room, a target that
-- is gone, wants a recall or sealed messages, an ack that failed, or (o_lease_lost) a required lease that is not live.
--
-- A transaction happens once under its key (p_owner, p_key; null: it has none). The last thing that it does is to
-- record the key, with its answer; if another transaction was faster, this one is undone. p_look says that one with the
-- same key may have happened: the client chose the key, or the broker sends the same transaction again because it got
-- no reply. o_kept is the answer of the one that has happened, as JSON; o_other_content says that its content was
-- another (p_digest).
--
-- Called by: the broker.
-- Locks: hiding (shared), if cursors may be made; partitions, capacities, then cursors, each in key order: a lease that
-- is only required is checked after the push, too. The key is written behind all other locks, and nothing is waited for
-- after it, so it cannot be part of a deadlock.
create or replace function queen.transaction_v1(
  p_shard smallint,
  p_push queen.push_request_v1,
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
  out o_push queen.push_result_v1,
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
  v_locked integer[];  -- places of the acks' cursors; null: not locked yet
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
    if cardinality(p_push.partition_ids) > 0 then
      select r.* into o_push from queen.push_v1(p_shard, p_push) r;
    end if;
    if cardinality(p_required_leases) > 0 then
      -- The cursors of the leases and of the acks in one pass: two passes would be two orders.
      select coalesce(array_agg(k.place) filter (where k.place > 0), '{}'),
             not coalesce(
               p_required_leases <@ array_agg(c.lease_id) filter (where c.lease_expires_at > clock_timestamp()), false)
      into v_locked, o_lease_lost
      from (
        select u.id, u.consumer_group, max(u.place)::integer as place
        from (
          select u.id, u.consumer_group collate "C" as consumer_group, u.place
          from rows from (unnest(p_cursor_ids), unnest(p_cursor_groups))
            with ordinality as u (id, consumer_group, place)
          union all
          select c.partition_id, c.consumer_group collate "C", 0
          from unnest(p_required_leases) as l (id)
          cross join lateral queen.lease_cursors_v1(p_shard, l.id) c
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
    o_committed := coalesce(cardinality(o_push.target), 0) = cardinality(p_push.partition_ids)
      and not coalesce(true = any (o_push.recall), false)
      and coalesce(cardinality(o_push.duplicate_message), 0) = 0
      and o_push.no_room is null
      and coalesce(cardinality(array_remove(o_error, null)), 0) = 0;
    if not o_committed then
      raise exception 'rolled back' using errcode = 'QM001';
    end if;
    if p_key is not null then
      insert into queen.transactions (
        shard, owner, key, digest, transaction_id, expires_at, push_operations, message_ids, transaction_ids,
        partition_ids, ack_operations, dead)
      values (
        p_shard, p_owner, p_key, p_digest, p_transaction_id, clock_timestamp() + make_interval(secs => p_keep_seconds),
        p_push_operations, p_push.message_ids, p_push.transaction_ids,
        array(select o_push.partition_id[array_position(o_push.target, p_push.segment_targets[m.segment])]
              from unnest(p_push.message_segments) with ordinality as m (segment, n) order by m.n),
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
