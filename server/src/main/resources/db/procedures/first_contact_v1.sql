-- revision: 3
-- Groups that meet partitions for the first time: records where they start and makes their cursors. Takes the
-- arguments of pop_v1, which asks for it with rows of state 'contact' and is called again, and the positions of those partitions
-- among the candidates, as these rows have them. A call of its own, because who makes cursors may wait for others
-- who make the same ones, and so must hold no lock that they could want.
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
  select array_agg(u.request order by u.request, u.n), array_agg(u.id order by u.request, u.n)
  into v_requests, v_ids
  from (
    select c.request, c.id, c.n
    from rows from (unnest(p_candidate_requests), unnest(p_candidate_ids)) with ordinality as c (request, id, n)
    union all
    select w.n::integer, p.id, w.n
    from rows from (unnest(p_queues), unnest(p_partitions)) with ordinality as w (queue, partition, n)
    left join lateral (
      select p.id
      from queen.queues q
      cross join lateral (
        select p.id from queen.partitions p
        where p.shard = p_shard and p.queue_id = q.id and p.name = w.partition
        offset 0
      ) p
      where q.name = w.queue
      offset 0
    ) p on true
    where w.partition is not null
  ) u;

  perform queen.subscribe_v1(
    p_shard, p_queues, p_partitions, p_groups, p_subscription_modes, p_subscription_froms,
    v_requests, v_ids, p_unopened);
  perform queen.open_cursors_v1(
    p_shard,
    array(select v_ids[u.i] from unnest(p_unopened) as u (i)),
    array(select p_groups[v_requests[u.i]] from unnest(p_unopened) as u (i)));
end
$$;
