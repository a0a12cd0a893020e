-- revision: 2
-- What retention and eviction removed between two moments, of one queue or of all, in buckets of p_minutes that begin
-- at whole multiples of them since 1970 (UTC). Oldest first; buckets in which nothing was removed are left out.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.retention_history_v1(
  p_queue text,
  p_from timestamptz,
  p_to timestamptz,
  p_minutes integer
) returns table (bucket timestamptz, retention bigint, completed bigint, eviction bigint, events bigint)
language sql
stable
as $$
  select to_timestamp(floor(extract(epoch from r.bucket) / (p_minutes * 60)) * (p_minutes * 60)),
         coalesce(sum(r.removed) filter (where r.rule = 'retention'), 0)::bigint,
         coalesce(sum(r.removed) filter (where r.rule = 'completed'), 0)::bigint,
         coalesce(sum(r.removed) filter (where r.rule = 'eviction'), 0)::bigint,
         sum(r.events)::bigint
  from queen.upkeep_removed r
  where r.bucket >= date_trunc('minute', p_from, 'UTC') and r.bucket <= p_to
    and r.rule in ('retention', 'completed', 'eviction') and (p_queue is null or r.queue = p_queue)
  group by 1
  order by 1
$$;
