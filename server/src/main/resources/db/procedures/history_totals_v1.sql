-- revision: 2
-- What all brokers have done, as far as it has been recorded: see write_minute_v1.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.history_totals_v1()
returns table (
  push_requests bigint,
  pop_requests bigint,
  ack_requests bigint,
  transactions bigint,
  push_messages bigint,
  pop_messages bigint,
  ack_success bigint,
  ack_failed bigint,
  dead_letters bigint,
  db_errors bigint
)
language sql
stable
as $$
  select sum(b.push_requests)::bigint, sum(b.pop_requests)::bigint, sum(b.ack_requests)::bigint,
         sum(b.transactions)::bigint, sum(b.push_messages)::bigint, sum(b.pop_messages)::bigint,
         sum(b.ack_success)::bigint, sum(b.ack_failed)::bigint, sum(b.dead_letters)::bigint, sum(b.db_errors)::bigint
  from queen.brokers b
$$;
