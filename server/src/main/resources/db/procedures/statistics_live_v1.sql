-- revision: 4
-- Whether sums over all partitions are to be computed when they are asked for: there are no more than p_limit
-- partitions and cursors, or nothing has been summed up yet. Looks at no more than p_limit rows of each, and at none if
-- there were more partitions when they were summed up last: pages ask this several times for each request.
--
-- Called by: dashboard_lagging_v1, groups_v1, lagging_partitions_v1, resources_overview_v1, resources_queues_v1.
-- Locks: none.
create or replace function queen.statistics_live_v1(p_shard smallint, p_limit integer) returns boolean
language sql
stable
as $$
  select case
    when not exists (select from queen.statistics_state s where s.shard = p_shard and s.refreshed_at is not null)
      then true
    when (select sum(t.partitions) from queen.statistics_queues t where t.shard = p_shard) > p_limit then false
    else (select count(*) from (select from queen.partitions p where p.shard = p_shard limit p_limit::bigint + 1) p)
       + (select count(*) from (select from queen.cursors c where c.shard = p_shard limit p_limit::bigint + 1) c)
           <= p_limit
  end
$$;
