-- revision: 3
-- Whether sums over all partitions are to be computed when they are asked for: there are no more than p_limit
-- partitions and cursors, or nothing has been summed up yet. Looks at no more than p_limit rows of each.
--
-- Called by: dashboard_lagging_v1, groups_v1, lagging_partitions_v1, resources_overview_v1, resources_queues_v1.
-- Locks: none.
create or replace function queen.statistics_live_v1(p_shard smallint, p_limit integer) returns boolean
language sql
stable
as $$
  select (select count(*) from (select from queen.partitions p where p.shard = p_shard limit p_limit::bigint + 1) p)
       + (select count(*) from (select from queen.cursors c where c.shard = p_shard limit p_limit::bigint + 1) c)
           <= p_limit
      or not exists (
        select from queen.statistics_state s where s.shard = p_shard and s.refreshed_at is not null)
$$;
