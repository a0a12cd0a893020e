-- revision: 2
-- How far the pass is that seals again what is stored: see reseal_look_v1. o_progress goes from 0 to 1 with the ids of
-- partitions, which are spread evenly; dead letters come last. o_keys and o_brokers: how many brokers seal with which
-- key. o_open: how many queues may still have plain or unbound payloads that are accepted because they are old.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.reseal_status_v1(
  p_shard smallint,
  p_live interval,
  out o_keys text[],
  out o_brokers bigint[],
  out o_state text,
  out o_key_id text,
  out o_complete_key text,
  out o_started_at timestamptz,
  out o_ended_at timestamptz,
  out o_progress double precision,
  out o_messages bigint,
  out o_dead_letters bigint,
  out o_left_over bigint,
  out o_encrypted bigint,
  out o_open bigint
)
language plpgsql
stable
as $$
begin
  select coalesce(array_agg(b.key_id order by b.key_id), '{}'), coalesce(array_agg(b.brokers order by b.key_id), '{}')
  into o_keys, o_brokers
  from (
    select b.key_id, count(*) as brokers
    from queen.sealing_brokers b
    where b.seen_at > clock_timestamp() - p_live
    group by b.key_id
  ) b;
  select case when r.pass_id is not null then 'running' when cardinality(o_keys) > 1 then 'waiting' else 'idle' end,
         r.key_id, r.complete_key, r.started_at, r.ended_at,
         case
           when r.pass_id is null then case when r.complete_key is not null then 1 else 0 end
           when r.letters then 0.99
           when r.at_partition is null then 0
           -- the first 24 bits of the id
           else 0.99 * ('x' || lpad(left(r.at_partition::text, 6), 8, '0'))::bit(32)::integer / 16777216.0
         end,
         r.messages, r.dead_letters, r.left_over
  into o_state, o_key_id, o_complete_key, o_started_at, o_ended_at, o_progress, o_messages, o_dead_letters, o_left_over
  from queen.resealing r
  where r.shard = p_shard;
  select count(*) filter (where q.encryption_enabled),
         count(*) filter (where (q.encryption_enabled and q.sealed_since is distinct from '-infinity')
           or q.bound_since > '-infinity')
  into o_encrypted, o_open
  from queen.queues q;
end
$$;
