-- The versions of procedures start at 1 again. Databases of early snapshots have functions with these names and other
-- arguments: "create or replace" would leave them as a second function of the same name. No broker has called them
-- since. Functions under names that are not shipped any more (push_v2, for example) stay: a broker of the snapshot
-- before may still call them.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid::regprocedure
    from pg_proc p
    where p.pronamespace = 'queen'::regnamespace
      and p.proname in (
        'drop_segments_v1', 'group_partitions_v1', 'groups_v1', 'history_queues_v1', 'lagging_partitions_v1', 'push_v1',
        'resources_overview_v1', 'resources_partitions_v1', 'resources_queues_v1', 'seek_v1', 'tail_v1',
        'transaction_v1')
  loop
    execute 'drop function ' || v_function;
  end loop;
end
$$;
