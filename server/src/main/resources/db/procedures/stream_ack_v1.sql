-- revision: 4
-- The ack of a cycle: the message named is the last of those that were consumed, so everything up to it is done with
-- it. 'completed': itself too; 'dlq': it becomes a dead letter, the others are done, and the lease ends.
--
-- With a lease id it must be the live lease of (partition, group), and the message one that it covers. Without one the
-- message may be any near the cursor, as in apply_statuses_v1. Where its transaction id occurs several times, the one
-- is meant that is the p_count-th of what is not done yet; else the first that is not done.
--
-- p_release: the lease ends, and what it covers beyond the message can be delivered at once. Otherwise the lease stays
-- as long as there is such a rest. o_error: 'lease', 'message' (not found), 'group' (it does not read the queue), or
-- null for success.
--
-- Called by: stream_cycle_v1.
-- Locks: the cursor.
create or replace function queen.stream_ack_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_group text,
  p_transaction_id text,
  p_lease_id uuid,
  p_status text,
  p_count integer,
  p_error text,
  p_release boolean,
  out o_error text,
  out o_released boolean,
  out o_dead boolean
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_reach constant integer := 10000;  -- as in apply_statuses_v1
  v_c record;
  v_start bigint;
  v_leased int8multirange;  -- and still stored
  v_open int8multirange;    -- what may be meant and is not done
  v_found bigint[];
  v_last bigint;
  v_offsets bigint[];
  v_done record;
begin
  o_released := false;
  o_dead := false;
  if p_lease_id is null and queen.may_open_v1(p_shard, p_partition_id, p_group) then
    perform queen.open_cursors_v1(p_shard, array[p_partition_id], array[p_group]);
  end if;
  select c.committed, c.acked, c.lease_id, c.lease_expires_at, c.leased, p.first_offset, p.next_offset
  into v_c
  from queen.cursors c
  join queen.partitions p on p.shard = p_shard and p.id = p_partition_id
  where c.shard = p_shard and c.partition_id = p_partition_id and c.consumer_group = p_group
  for no key update of c;
  if not found then
    o_error := case
      when not exists (select from queen.partitions p where p.shard = p_shard and p.id = p_partition_id) then 'message'
      when p_lease_id is null then 'group'
      else 'lease'
    end;
    return;
  end if;
  if p_lease_id is not null
     and (v_c.lease_id is distinct from p_lease_id or v_c.lease_expires_at <= clock_timestamp()) then
    o_error := 'lease';
    return;
  end if;

  v_start := greatest(v_c.committed, v_c.first_offset);
  v_c.acked := v_c.acked + int8multirange(int8range(null, v_start));
  v_leased := v_c.leased - int8multirange(int8range(null, v_c.first_offset));
  v_found := queen.locate_v1(  -- twice: the second search finds another one, if there is one
    p_shard, array[p_partition_id], array[v_leased], array[v_c.acked], array[1, 1],
    array[p_transaction_id, p_transaction_id]);
  v_open := v_leased - v_c.acked;
  if v_found[1] is null and p_lease_id is null then
    v_found := queen.locate_v1(
      p_shard, array[p_partition_id],
      array[int8multirange(int8range(
        greatest(v_start - v_reach, v_c.first_offset), least(v_start + v_reach, v_c.next_offset)))],
      array[int8multirange()], array[1], array[p_transaction_id]);
    v_open := int8multirange(int8range(v_start, greatest(v_start, v_c.next_offset))) - v_c.acked;
  end if;
  v_last := v_found[1];
  if v_last is null then
    o_error := 'message';
    return;
  end if;
  if v_found[1] <> v_found[2] and p_count > 1 and not isempty(v_open) then
    v_found := queen.locate_v1(
      p_shard, array[p_partition_id], array[v_leased], array[v_c.acked], array_fill(1, array[least(p_count, v_reach)]),
      array_fill(p_transaction_id, array[least(p_count, v_reach)]));
    v_last := upper(queen.first_n_v1(
      lower(v_open), upper(v_open), int8multirange(int8range(lower(v_open), upper(v_open))) - v_open, p_count)) - 1;
    if v_last <> all (v_found) then
      v_last := v_found[1];
    end if;
  end if;

  v_offsets := array(
    select o.o
    from unnest(v_open * int8multirange(int8range(null, v_last, '[]'))) as r (r)
    cross join lateral generate_series(lower(r.r), upper(r.r) - 1) as o (o)
    order by o.o);
  if cardinality(v_offsets) > 0 then
    -- Only "completed" under a lease is plain: see ack_v1.
    select r.o_released, r.o_error, r.o_dead into v_done
    from queen.ack_v1(
      p_shard, array[p_partition_id], array[p_group], array[cardinality(v_offsets)],
      array[case when p_status = 'completed' then p_lease_id end], null, v_offsets,
      case when p_status <> 'completed' or p_lease_id is null
        then array_fill(p_lease_id, array[cardinality(v_offsets)]) end,
      case when p_status <> 'completed' or p_lease_id is null then
        array(select case when o.o = v_last then p_status else 'completed' end
              from unnest(v_offsets) with ordinality as o (o, n) order by o.n) end,
      case when p_status <> 'completed' or p_lease_id is null
        then array_fill(p_error, array[cardinality(v_offsets)]) end,
      null, array[1]) r;
    o_error := (array_remove(v_done.o_error, null))[1];
    if o_error is not null then
      return;
    end if;
    o_released := coalesce(v_done.o_released[1], true);
    o_dead := coalesce(true = any (v_done.o_dead), false);
  else
    o_released := v_c.lease_id is null;
  end if;
  if not o_released and (p_release or p_status <> 'completed') then
    update queen.cursors c
    set lease_id = null, lease_expires_at = null, leased = '{}', last_consumed_at = clock_timestamp(),
        redeliveries = queen.redeliveries_v1(c.redeliveries, upper(c.leased), c.committed)
    where c.shard = p_shard and c.partition_id = p_partition_id and c.consumer_group = p_group;
    o_released := true;
  end if;
end
$$;
