-- revision: 2
-- Records that a broker does not seal any more, so that others need not wait until it counts as gone: see
-- reseal_look_v1.
--
-- Called by: the broker.
-- Locks: the broker's row; then the row of the pass.
create or replace function queen.sealing_stopped_v1(p_shard smallint, p_broker uuid) returns void
language plpgsql
as $$
begin
  delete from queen.sealing_brokers b where b.broker_id = p_broker;
  update queen.resealing r set expires_at = clock_timestamp() where r.shard = p_shard and r.holder = p_broker;
end
$$;
