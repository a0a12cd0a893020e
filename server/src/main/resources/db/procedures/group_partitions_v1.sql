-- revision: 1
-- Where one group stands in each partition that it reads, by queue and partition: see positions_v1.
create or replace function queen.group_partitions_v1(p_shard smallint, p_group text)
returns table (
  queue text,
  partition text,
  lag bigint,
  time_lag bigint,
  lease_id uuid,
  consumed bigint,
  last_consumed_at timestamptz
)
language plpgsql
stable
set jit = off
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
begin
  return query
    select p.queue, p.partition, p.lag,
           greatest(floor(extract(epoch from v_now - p.oldest_at)), 0)::bigint,
           p.lease_id, p.consumed, p.last_consumed_at
    from queen.positions_v1(p_shard, v_now) p
    where p.consumer_group = p_group
    order by p.queue collate "C", p.partition collate "C";
end
$$;
