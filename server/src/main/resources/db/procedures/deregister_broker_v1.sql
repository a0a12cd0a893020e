-- revision: 2
-- Removes a broker that stops from the list of live brokers.
--
-- Called by: the broker.
-- Locks: its row of living_brokers.
create or replace function queen.deregister_broker_v1(p_shard smallint, p_broker uuid) returns void
language sql
as $$
  delete from queen.living_brokers b where b.shard = p_shard and b.broker = p_broker;
$$;
