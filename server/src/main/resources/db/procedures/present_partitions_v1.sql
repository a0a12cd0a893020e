-- revision: 2
-- Which of these partitions exist, and which of their queues, in the order given.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.present_partitions_v1(
  p_shard smallint,
  p_queues text[],
  p_partitions text[],
  out o_queues boolean[],
  out o_partitions boolean[]
)
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  select array_agg(q.id is not null order by w.n), array_agg(p.id is not null order by w.n)
  into o_queues, o_partitions
  from rows from (unnest(p_queues), unnest(p_partitions)) with ordinality as w (queue, partition, n)
  left join lateral (
    select q.id from queen.queues q where q.name = w.queue and q.deleted_at is null offset 0
  ) q on true
  left join lateral (
    select p.id from queen.partitions p
    where p.shard = p_shard and p.queue_id = q.id and p.name = w.partition
    offset 0
  ) p on true;
end
$$;
