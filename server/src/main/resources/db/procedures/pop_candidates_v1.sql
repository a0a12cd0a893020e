-- revision: 1
-- The candidates of a pop: those given by id, and the partitions that requests name (id null where there is none), with
-- their place n among the candidates or among the requests. In SQL and without settings of its own, so that PostgreSQL
-- inlines it into the query that calls it.
--
-- Called by: first_contact_v1, pop_v1.
-- Locks: none.
create or replace function queen.pop_candidates_v1(
  p_shard smallint,
  p_queues text[],
  p_partitions text[],
  p_candidate_requests integer[],
  p_candidate_ids uuid[]
) returns table (request integer, id uuid, n bigint)
language sql
stable
as $$
  select c.request, c.id, c.n
  from rows from (unnest(p_candidate_requests), unnest(p_candidate_ids)) with ordinality as c (request, id, n)
  union all
  select w.n::integer, p.id, w.n
  from rows from (unnest(p_queues), unnest(p_partitions)) with ordinality as w (queue, partition, n)
  left join lateral (
    select p.id
    from queen.queues q
    cross join lateral (
      select p.id from queen.partitions p
      where p.shard = p_shard and p.queue_id = q.id and p.name = w.partition
      offset 0
    ) p
    where q.name = w.queue
    offset 0
  ) p on true
  where w.partition is not null
$$;
