-- revision: 4
-- Live leases, and dead letters: counted where there are no more than 100,000, else as statistics_step_v1 counted them.
-- The errors are those of 10,000 dead letters, the most frequent first, by their first 2,000 characters, because older
-- rows have errors of any length.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.status_leases_v1(
  p_shard smallint,
  out o_leases bigint,
  out o_leased_partitions bigint,
  out o_leased bigint,
  out o_acked bigint,
  out o_dead bigint,
  out o_dead_partitions bigint,
  out o_errors text[],
  out o_error_counts bigint[]
)
language plpgsql
stable
set jit = off
as $$
begin
  select count(*), count(distinct c.partition_id), coalesce(sum(queen.multirange_size_v1(c.leased)), 0),
         coalesce(sum(queen.multirange_size_v1(c.leased * (c.acked + int8multirange(int8range(0, c.committed))))), 0)
  into o_leases, o_leased_partitions, o_leased, o_acked
  from queen.cursors c
  where c.shard = p_shard and c.lease_expires_at > clock_timestamp() and c.lease_id is not null;
  select count(*), count(distinct d.partition_id) into o_dead, o_dead_partitions
  from (select d.partition_id from queen.dead_letters d where d.shard = p_shard limit 100001) d;
  if o_dead > 100000 then
    select coalesce(sum(t.dead_rows), o_dead) into o_dead from queen.statistics_queues t where t.shard = p_shard;
  end if;
  select coalesce(array_agg(e.error), '{}'), coalesce(array_agg(e.errors), '{}') into o_errors, o_error_counts
  from (
    select d.error, count(*) as errors
    from (
      select left(coalesce(d.error_message, ''), 2000) as error
      from queen.dead_letters d
      where d.shard = p_shard
      limit 10000
    ) d
    group by d.error
    order by 2 desc, 1
    limit 10
  ) e;
end
$$;
