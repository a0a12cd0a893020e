-- revision: 3
-- What is paused, of one queue or (null) of all, by queue and group; consumer_group '' stands for all groups.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.pauses_v1(p_queue text)
returns table (queue text, consumer_group text, since timestamptz, paused_by text)
language sql
stable
as $$
  select q.name, p.key, (p.value ->> 'since')::timestamptz, p.value ->> 'by'
  from queen.queues q
  cross join lateral jsonb_each(q.pauses) as p (key, value)
  where q.pauses is not null and q.deleted_at is null and (p_queue is null or q.name = p_queue)
  order by q.name, p.key collate "C"
$$;
