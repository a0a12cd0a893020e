-- revision: 1
-- Removes minutes that are older than so many days, at most p_limit rows of each table, and tells how many rows there were. Brokers that
-- were not seen for as long become part of the row of zeros, so that the sums over all of them stay.
create or replace function queen.forget_minutes_v1(p_queue_days integer, p_metric_days integer, p_limit integer) returns bigint
language plpgsql
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_count bigint;
  v_all bigint := 0;
begin
  delete from queen.minute_queues m
  where m.ctid in (
    select o.ctid from queen.minute_queues o where o.minute < v_now - make_interval(days => p_queue_days) limit p_limit);
  get diagnostics v_count = row_count;
  v_all := v_all + v_count;
  delete from queen.minute_workers m
  where m.ctid in (
    select o.ctid from queen.minute_workers o where o.minute < v_now - make_interval(days => p_metric_days) limit p_limit);
  get diagnostics v_count = row_count;
  v_all := v_all + v_count;
  delete from queen.minute_system m
  where m.ctid in (
    select o.ctid from queen.minute_system o where o.minute < v_now - make_interval(days => p_metric_days) limit p_limit);
  get diagnostics v_count = row_count;
  v_all := v_all + v_count;

  -- Whoever holds the row of zeros does it alone.
  perform from queen.brokers b where b.id = '00000000-0000-0000-0000-000000000000' for update skip locked;
  if found then
    with gone as (
      delete from queen.brokers b
      where b.id <> '00000000-0000-0000-0000-000000000000'
        and b.last_seen_at < v_now - make_interval(days => greatest(p_queue_days, p_metric_days) + 1)
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
  return v_all;
end
$$;
