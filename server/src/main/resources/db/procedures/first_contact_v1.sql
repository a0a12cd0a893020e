-- revision: 4
-- Records where groups start in partitions that they read for the first time, and makes their cursors. Takes the
-- arguments of pop_v1, which asks for it with rows of state 'contact' and is called again, and the positions of those
-- partitions among the candidates, as these rows have them. A call of its own: making a cursor may wait for another
-- transaction that makes the same one, so no lock may be held that the other could want.
--
-- Called by: the broker.
-- Locks: hiding (shared), subscriptions and cursors, each in key order.
create or replace function queen.first_contact_v1(
  p_shard smallint,
  p_queues text[],
  p_partitions text[],
  p_groups text[],
  p_batches integer[],
  p_max_partitions integer[],
  p_auto_acks boolean[],
  p_subscription_modes text[],
  p_subscription_froms timestamptz[],
  p_named boolean,
  p_simple boolean,
  p_candidate_requests integer[],
  p_candidate_ids uuid[],
  p_unopened integer[]
) returns void
language plpgsql
set enable_seqscan = off
set jit = off
as $$
declare
  v_requests integer[];
  v_ids uuid[];
begin
  perform queen.hiding_lock_v1(p_shard, false);
  select array_agg(c.request order by c.request, c.n), array_agg(c.id order by c.request, c.n)
  into v_requests, v_ids
  from queen.pop_candidates_v1(p_shard, p_queues, p_partitions, p_candidate_requests, p_candidate_ids) c;

  perform queen.subscribe_v1(
    p_shard, p_queues, p_partitions, p_groups, p_subscription_modes, p_subscription_froms,
    v_requests, v_ids, p_unopened);
  perform queen.open_cursors_v1(
    p_shard,
    array(select v_ids[u.i] from unnest(p_unopened) as u (i)),
    array(select p_groups[v_requests[u.i]] from unnest(p_unopened) as u (i)));
end
$$;
