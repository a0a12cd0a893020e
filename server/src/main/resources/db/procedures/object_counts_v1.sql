-- revision: 2
-- How many queues, partitions and subscriptions of groups there are. Partitions and subscriptions are counted while
-- there are few; where PostgreSQL estimates more than p_exact of them, that estimate is the answer.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.object_counts_v1(
  p_shard smallint,
  p_exact integer,
  out o_queues bigint,
  out o_partitions bigint,
  out o_groups bigint
)
language plpgsql
stable
set jit = off
as $$
begin
  select count(*) into o_queues from queen.queues q where q.deleted_at is null;
  select c.reltuples::bigint into o_partitions from pg_class c where c.oid = 'queen.partitions'::regclass;
  if o_partitions <= p_exact then
    select count(*) into o_partitions from queen.partitions p where p.shard = p_shard and p.queue_id is not null;
  end if;
  select c.reltuples::bigint into o_groups from pg_class c where c.oid = 'queen.subscriptions'::regclass;
  if o_groups <= p_exact then
    select count(*) into o_groups from queen.subscriptions s where s.shard = p_shard;
  end if;
end
$$;
