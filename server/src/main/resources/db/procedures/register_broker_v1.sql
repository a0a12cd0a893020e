-- revision: 2
-- Records that a broker is up. Removes the rows of brokers that ended without deregistering.
--
-- Called by: the broker.
-- Locks: rows of living_brokers, those of other brokers only if they are free.
create or replace function queen.register_broker_v1(
  p_shard smallint,
  p_broker uuid,
  p_forget interval  -- rows that are older are removed
) returns void
language plpgsql
as $$
begin
  insert into queen.living_brokers as b (shard, broker, seen_at) values (p_shard, p_broker, clock_timestamp())
  on conflict (shard, broker) do update set seen_at = excluded.seen_at;
  delete from queen.living_brokers b
  where b.shard = p_shard and b.broker = any (array(
    select o.broker from queen.living_brokers o
    where o.shard = p_shard and o.broker <> p_broker and o.seen_at < clock_timestamp() - p_forget
    for update skip locked));
end
$$;
