-- revision: 1
-- The brokers that wrote something down in the last hour, the latest first, at most 100, and what each did since its
-- start. They write once a minute: alive is who did in the last 150 seconds. living: how many brokers say now that
-- they are up, which a new one does before it writes for the first time. One row at least.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.dashboard_brokers_v1(p_shard smallint)
returns table (
  living bigint,
  name text,
  hostname text,
  port integer,
  pid bigint,
  alive boolean,
  seen_at timestamptz,
  push_messages bigint,
  pop_messages bigint,
  ack_success bigint,
  ack_failed bigint,
  db_errors bigint
)
language sql
stable
as $$
  select l.living, b.name, b.hostname, b.port, b.pid, b.last_seen_at > clock_timestamp() - interval '150 seconds',
         b.last_seen_at, b.push_messages, b.pop_messages, b.ack_success, b.ack_failed, b.db_errors
  from (
    select count(*) as living
    from queen.living_brokers l
    where l.shard = p_shard and l.seen_at > clock_timestamp() - interval '15 seconds'
  ) l
  left join (
    select b.*
    from queen.brokers b
    where b.pid > 0 and b.last_seen_at > clock_timestamp() - interval '1 hour'
    order by b.last_seen_at desc, b.id
    limit 100
  ) b on true
  order by b.last_seen_at desc, b.id
$$;
