-- revision: 1
-- Records where groups start on queues they contact for the first time: on the queue a request names, and on the
-- queues of its candidates. A request for one named partition subscribes to that partition only, unless the group
-- already has the whole queue. Plain queue mode has no subscription: it always starts at the oldest. What is recorded stays: later parameters do not change it.
create or replace function queen.subscribe_v1(
  p_shard smallint,
  p_newcomers integer[],
  p_queues text[],
  p_partitions text[],
  p_groups text[],
  p_modes text[],
  p_froms timestamptz[],
  p_candidate_requests integer[],
  p_candidate_ids uuid[]
) returns void
language plpgsql
set enable_seqscan = off
set jit = off
as $$
begin
  insert into queen.subscriptions (shard, queue, consumer_group, partition, mode, started_at, created_at)
  select p_shard, w.queue, p_groups[w.request], coalesce(p_partitions[w.request], ''), p_modes[w.request],
         case p_modes[w.request] when 'new' then t.now when 'timestamp' then p_froms[w.request] end, t.now
  from (
    select distinct on (u.queue, p_groups[u.request], coalesce(p_partitions[u.request], '')) u.queue, u.request
    from (
      select p_queues[n.request] as queue, n.request
      from unnest(p_newcomers) as n (request)
      where p_queues[n.request] is not null and p_groups[n.request] <> '__QUEUE_MODE__'
      union all
      select q.name, c.request
      from unnest(p_candidate_requests, p_candidate_ids) as c (request, id)
      join queen.partitions p on p.shard = p_shard and p.id = c.id
      join queen.queues q on q.id = p.queue_id
      where c.request = any (p_newcomers) and p_groups[c.request] <> '__QUEUE_MODE__'
    ) u
    order by u.queue, p_groups[u.request], coalesce(p_partitions[u.request], ''), u.request
  ) w
  cross join (select clock_timestamp() as now) t
  where not exists (
    select from queen.subscriptions s
    where s.shard = p_shard and s.queue = w.queue and s.consumer_group = p_groups[w.request] and s.partition = '')
  on conflict (shard, queue, consumer_group, partition) do nothing;
end
$$;
