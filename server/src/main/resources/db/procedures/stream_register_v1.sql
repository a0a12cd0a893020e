-- revision: 2
-- Registers a query by its name, or finds it. o_fresh: it is new. o_reset: its configuration is another one, the caller
-- wants that (p_reset), and its state is deleted; so are the answers kept for its cycles, which refer to that state.
-- o_matches false: its configuration is another one, and nothing was changed.
--
-- Called by: the broker.
-- Locks: the query, then its lanes in key order, so that a cycle comes wholly before a reset or wholly after it.
create or replace function queen.stream_register_v1(
  p_shard smallint,
  p_name text,
  p_source_queue text,
  p_sink_queue text,
  p_config_hash text,
  p_reset boolean,
  out o_id uuid,
  out o_fresh boolean,
  out o_reset boolean,
  out o_matches boolean
)
language plpgsql
set enable_seqscan = off
set jit = off
as $$
declare
  v_hash text;
begin
  o_reset := false;
  insert into queen.stream_queries (name, source_queue, sink_queue, config_hash)
  values (p_name, p_source_queue, p_sink_queue, p_config_hash)
  on conflict (name) do nothing
  returning id into o_id;
  o_fresh := o_id is not null;
  o_matches := true;
  if o_fresh then
    return;
  end if;

  select q.id, q.config_hash into o_id, v_hash
  from queen.stream_queries q
  where q.name = p_name
  for no key update;
  o_matches := v_hash = p_config_hash;
  if not o_matches and p_reset then
    perform from queen.stream_lanes l
    where l.shard = p_shard and l.query_id = o_id
    order by l.partition_id
    for no key update;
    delete from queen.stream_state s where s.shard = p_shard and s.query_id = o_id;
    delete from queen.stream_cycles c where c.shard = p_shard and c.query_id = o_id;
    o_reset := true;
    o_matches := true;
  end if;
  if o_matches then
    update queen.stream_queries q
    set source_queue = p_source_queue, sink_queue = p_sink_queue, config_hash = p_config_hash,
        updated_at = clock_timestamp()
    where q.id = o_id
      and (o_reset or (q.source_queue, q.sink_queue) is distinct from (p_source_queue, p_sink_queue));
  end if;
end
$$;
