-- revision: 1
-- The groups that have subscribed to a queue, each once, and a last row that is null. From group to group along the
-- index: one group may have thousands of subscriptions, to single partitions.
--
-- Called by: count_backlog_step_v1, reserve_capacity_v1.
-- Locks: none.
create or replace function queen.subscribed_groups_v1(p_shard smallint, p_queue text)
returns table (consumer_group text)
language sql
stable
as $$
  with recursive g as (
    (select s.consumer_group
     from queen.subscriptions s
     where s.shard = p_shard and s.queue = p_queue
     order by s.consumer_group
     limit 1)
    union all
    select (
      select s.consumer_group
      from queen.subscriptions s
      where s.shard = p_shard and s.queue = p_queue and s.consumer_group > g.consumer_group
      order by s.consumer_group
      limit 1)
    from g
    where g.consumer_group is not null
  )
  select g.consumer_group from g
$$;
