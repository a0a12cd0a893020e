-- revision: 2
-- How often the messages at a cursor were delivered before: pairs (offset, count), by offset. A lease always covers the
-- first messages that are not done. So one that ends without an answer counts for every undone message below its upper
-- end, and only the upper end has to be kept. A message was delivered as often as the counts of the pairs with a higher
-- offset add up to. p_upper: the upper end of a lease that has just ended, or null. p_start: below it everything is
-- done and forgotten. Null: no message. More than 32 different ends are not kept: the highest ones are taken for the
-- 32nd, and the messages behind it count too low.
--
-- Called by: apply_statuses_v1, pop_v1, stream_ack_v1.
-- Locks: none.
create or replace function queen.redeliveries_v1(p_pairs bigint[], p_upper bigint, p_start bigint) returns bigint[]
language sql
immutable
as $$
  select array_agg(f.value order by e.upper, f.place)
  from (
    select k.upper, sum(k.ended)::bigint as ended
    from (
      select least(u.upper, nth_value(u.upper, 32) over (
               order by u.upper range between unbounded preceding and unbounded following)) as upper,
             u.ended
      from (
        select u.upper, sum(u.ended) as ended
        from (
          select p_pairs[i] as upper, p_pairs[i + 1] as ended
          from generate_series(1, coalesce(cardinality(p_pairs), 0), 2) as i
          union all
          select p_upper, 1 where p_upper is not null
        ) u
        where u.upper > p_start
        group by u.upper
      ) u
    ) k
    group by k.upper
  ) e
  cross join lateral (values (1, e.upper), (2, e.ended)) as f (place, value)
$$;
