-- revision: 2
-- The state of a query in a partition, by key: all of it, or what passes every filter that is given (not null). At most
-- p_limit rows after the key p_after, and no more than p_bytes of values, but one row always; o_more says that there
-- are more.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.stream_state_v1(
  p_shard smallint,
  p_query_id uuid,
  p_partition_id uuid,
  p_keys text[],
  p_prefix text,
  p_ripe_at double precision,
  p_after text,
  p_limit integer,
  p_bytes bigint,
  out o_keys text[],
  out o_values text[],
  out o_updated_at timestamptz[],
  out o_more boolean
)
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_custom_plan  -- some keys, a prefix, or all: different plans
set jit = off
as $$
begin
  with found as (
    select s.key, s.value, s.updated_at, row_number() over (order by s.key) as n,
           sum(octet_length(s.value)) over (order by s.key) as bytes
    from (
      select s.key, s.value, s.updated_at
      from queen.stream_state s
      where s.shard = p_shard and s.query_id = p_query_id and s.partition_id = p_partition_id
        and (p_keys is null or s.key = any (p_keys))
        -- A key has fewer characters than that.
        and (p_prefix is null or s.key between p_prefix and p_prefix || repeat(chr(1114111), 2000))
        and (p_prefix is null or starts_with(s.key, p_prefix))
        and (p_ripe_at is null or s.window_end <= p_ripe_at)
        and (p_after is null or s.key > p_after)
      order by s.key
      limit p_limit + 1
    ) s
  )
  select coalesce(array_agg(f.key order by f.n) filter (where f.fits), '{}'),
         coalesce(array_agg(f.value order by f.n) filter (where f.fits), '{}'),
         coalesce(array_agg(f.updated_at order by f.n) filter (where f.fits), '{}'),
         coalesce(bool_or(not f.fits), false)
  into o_keys, o_values, o_updated_at, o_more
  from (select f.*, f.n = 1 or (f.n <= p_limit and f.bytes <= p_bytes) as fits from found f) f;
end
$$;
