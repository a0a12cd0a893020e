-- revision: 2
-- Adds the counters of brokers that were not seen for p_days to the row of zeros, and deletes their rows, so that the
-- sums over all brokers stay.
--
-- Called by: the broker.
-- Locks: the row of zeros (skipped if locked), then the brokers' rows.
create or replace function queen.forget_brokers_v1(p_days integer) returns void
language plpgsql
as $$
begin
  -- The transaction that holds the row of zeros does it alone.
  perform from queen.brokers b where b.id = '00000000-0000-0000-0000-000000000000' for update skip locked;
  if found then
    with gone as (
      delete from queen.brokers b
      where b.id <> '00000000-0000-0000-0000-000000000000'
        and b.last_seen_at < clock_timestamp() - make_interval(days => p_days)
      returning b.*
    )
    update queen.brokers b
    set push_requests = b.push_requests + g.push_requests, pop_requests = b.pop_requests + g.pop_requests,
        ack_requests = b.ack_requests + g.ack_requests, transactions = b.transactions + g.transactions,
        push_messages = b.push_messages + g.push_messages, pop_messages = b.pop_messages + g.pop_messages,
        ack_success = b.ack_success + g.ack_success, ack_failed = b.ack_failed + g.ack_failed,
        dead_letters = b.dead_letters + g.dead_letters, db_errors = b.db_errors + g.db_errors
    from (
      select coalesce(sum(g.push_requests), 0) as push_requests, coalesce(sum(g.pop_requests), 0) as pop_requests,
             coalesce(sum(g.ack_requests), 0) as ack_requests, coalesce(sum(g.transactions), 0) as transactions,
             coalesce(sum(g.push_messages), 0) as push_messages, coalesce(sum(g.pop_messages), 0) as pop_messages,
             coalesce(sum(g.ack_success), 0) as ack_success, coalesce(sum(g.ack_failed), 0) as ack_failed,
             coalesce(sum(g.dead_letters), 0) as dead_letters, coalesce(sum(g.db_errors), 0) as db_errors
      from gone g
    ) g
    where b.id = '00000000-0000-0000-0000-000000000000';
  end if;
end
$$;
