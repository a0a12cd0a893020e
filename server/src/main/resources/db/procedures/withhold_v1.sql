-- revision: 3
-- Takes back messages that pop_v1 has just handed out and that cannot be delivered, as if they had not been handed out:
-- from their lease, which continues over the rest, or ends. The lease has kept newer messages back, so the order holds.
--
-- Cursors come as arrays, in any order, each with the lease it was given under; the offsets refer to their cursor by
-- its position. A cursor that has another lease by now is left alone. Answers the time.
--
-- Called by: the broker.
-- Locks: cursors, in key order.
create or replace function queen.withhold_v1(
  p_shard smallint,
  p_partition_ids uuid[],
  p_groups text[],
  p_lease_ids uuid[],
  p_offset_cursors integer[],
  p_offsets bigint[]
) returns timestamptz
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_c record;
  v_back int8multirange;
  v_left int8multirange;
begin
  for v_c in
    select w.n, c.*
    from (
      select u.id, u.consumer_group collate "C" as consumer_group, u.lease_id, u.n
      from rows from (unnest(p_partition_ids), unnest(p_groups), unnest(p_lease_ids))
        with ordinality as u (id, consumer_group, lease_id, n)
      order by 1, 2
      offset 0
    ) w
    cross join lateral (
      select c.*
      from queen.cursors c
      where c.shard = p_shard and c.partition_id = w.id and c.consumer_group = w.consumer_group
        and c.lease_id = w.lease_id
      for no key update
    ) c
  loop
    v_back := (
      select range_agg(int8range(o.o, o.o + 1))
      from unnest(p_offset_cursors, p_offsets) as o (cursor, o)
      where o.cursor = v_c.n);
    v_left := v_c.leased - v_back;
    update queen.cursors c
    set leased = v_left,
        lease_id = case when not isempty(v_left) then c.lease_id end,
        lease_expires_at = case when not isempty(v_left) then c.lease_expires_at end,
        lone_deliveries = case
          when c.lone_offset <@ v_back then greatest(c.lone_deliveries - 1, 0)
          else c.lone_deliveries
        end
    where c.shard = p_shard and c.partition_id = v_c.partition_id and c.consumer_group = v_c.consumer_group;
  end loop;
  return clock_timestamp();
end
$$;
