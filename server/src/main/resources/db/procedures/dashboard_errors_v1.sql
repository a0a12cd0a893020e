-- revision: 2
-- Dead letters by queue, group and error, the most first, at most p_limit rows: of one queue the latest 10,000, of all
-- (null) any 10,000. looked_at: how many these were; one row at least. Errors are compared by their first 500
-- characters, as dashboard_dead_letters_v1 does: pages put them into addresses, and older rows have errors of any
-- length.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.dashboard_errors_v1(p_shard smallint, p_queue text, p_limit integer)
returns table (
  looked_at bigint,
  queue text,
  consumer_group text,
  error_message text,
  letters bigint,
  first_at timestamptz,
  last_at timestamptz
)
language plpgsql
stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
#variable_conflict use_column
declare
  v_queue constant uuid := (select q.id from queen.queues q where q.name = p_queue);
begin
  return query
    with seen as materialized (
      (select d.queue_id, d.consumer_group, left(coalesce(d.error_message, ''), 500) as error_message, d.failed_at
       from queen.dead_letters d
       where d.shard = p_shard and p_queue is null
       limit 10000)
      union all
      (select d.queue_id, d.consumer_group, left(coalesce(d.error_message, ''), 500), d.failed_at
       from queen.dead_letters d
       where d.shard = p_shard and d.queue_id = v_queue and p_queue is not null
       order by d.failed_at desc
       limit 10000)
    )
    select c.looked_at, e.queue, e.consumer_group, e.error_message, e.letters, e.first_at, e.last_at
    from (select count(*) as looked_at from seen) c
    left join (
      select q.name as queue, s.consumer_group, s.error_message, count(*) as letters,
             min(s.failed_at) as first_at, max(s.failed_at) as last_at
      from seen s
      join queen.queues q on q.id = s.queue_id and q.deleted_at is null
      group by q.name, s.consumer_group, s.error_message
      order by 4 desc, 1, 2, 3
      limit p_limit
    ) e on true
    order by e.letters desc, e.queue, e.consumer_group, e.error_message;
end
$$;
