-- revision: 2
-- The places of those candidates of a pop whose group has no cursor on the partition yet, for pop_v1. A partition that
-- does not exist is not among them.
--
-- Called by: pop_v1.
-- Locks: none.
create or replace function queen.unopened_v1(
  p_shard smallint,
  p_groups text[],
  p_candidate_requests integer[],
  p_candidate_ids uuid[]
) returns integer[]
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  return array(
    select c.n::integer
    from rows from (unnest(p_candidate_requests), unnest(p_candidate_ids)) with ordinality as c (request, id, n)
    cross join lateral (
      select p.id from queen.partitions p where p.shard = p_shard and p.id = c.id offset 0
    ) p
    left join lateral (
      select true as known
      from queen.cursors u
      where u.shard = p_shard and u.partition_id = c.id and u.consumer_group = p_groups[c.request]
      offset 0
    ) u on true
    where u.known is null
    order by c.n);
end
$$;
