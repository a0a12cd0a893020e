-- revision: 3
-- Records where groups start on queues they contact for the first time: requests without a candidate on the queue they
-- name, and those with candidates that have no cursor yet (p_unopened, positions among the candidates) on that and on
-- the queues of those candidates. A request for one named partition subscribes to that partition only, unless the group
-- already has the whole queue. Plain queue mode has no subscription: it always starts at the oldest. A recorded
-- subscription stays: later parameters do not change it. Called before cursors are locked.
--
-- Called by: first_contact_v1, pop_v1.
-- Locks: subscriptions, in key order.
create or replace function queen.subscribe_v1(
  p_shard smallint,
  p_queues text[],
  p_partitions text[],
  p_groups text[],
  p_modes text[],
  p_froms timestamptz[],
  p_candidate_requests integer[],
  p_candidate_ids uuid[],
  p_unopened integer[]
) returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  insert into queen.subscriptions (shard, queue, consumer_group, partition, mode, started_at, created_at)
  select p_shard, w.queue, w.consumer_group, w.partition, p_modes[w.request],
         case p_modes[w.request] when 'new' then t.now when 'timestamp' then p_froms[w.request] end, t.now
  from (
    select distinct on (u.queue, u.consumer_group, u.partition) u.queue, u.consumer_group, u.partition, u.request,
           min(u.request) filter (where u.partition = '') over (partition by u.queue, u.consumer_group) as whole
    from (
      select r.queue, r.consumer_group, coalesce(r.partition, '') as partition, r.request::integer as request
      from rows from (unnest(p_queues), unnest(p_groups), unnest(p_partitions))
        with ordinality as r (queue, consumer_group, partition, request)
      where r.request not in (
          select c.request from unnest(p_candidate_requests, p_candidate_ids) as c (request, id) where c.id is not null)
         or r.request in (select p_candidate_requests[c.i] from unnest(p_unopened) as c (i))
      union all
      select q.name, p_groups[p_candidate_requests[c.i]], '', p_candidate_requests[c.i]
      from unnest(p_unopened) as c (i)
      cross join lateral (
        select p.queue_id from queen.partitions p where p.shard = p_shard and p.id = p_candidate_ids[c.i] offset 0
      ) p
      cross join lateral (select q.name from queen.queues q where q.id = p.queue_id offset 0) q
      where p_partitions[p_candidate_requests[c.i]] is null
    ) u
    where u.queue is not null and u.consumer_group <> '__QUEUE_MODE__'
    order by u.queue, u.consumer_group, u.partition, u.request
  ) w
  cross join (select clock_timestamp() as now) t
  where not exists (
    select from queen.subscriptions s
    where s.shard = p_shard and s.queue = w.queue and s.consumer_group = w.consumer_group and s.partition = '')
    and (w.partition = '' or w.whole is null or w.whole > w.request)  -- an earlier request may get it the whole queue
  order by w.queue collate "C", w.consumer_group collate "C", w.partition collate "C"
  on conflict (shard, queue, consumer_group, partition) do nothing;
end
$$;
