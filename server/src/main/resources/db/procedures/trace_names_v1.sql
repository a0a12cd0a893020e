-- revision: 2
-- A page of the names that traces have, the latest first, and how many there are; counted no further than p_most. One
-- row without a name if the page is empty.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.trace_names_v1(p_shard smallint, p_limit integer, p_offset integer, p_most integer)
returns table (total bigint, name text, traces bigint, messages bigint, last_seen timestamptz)
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
#variable_conflict use_column
begin
  return query
    select a.total, c.name, c.traces, c.messages, c.last_seen
    from (
      select count(*) as total
      from (select from queen.trace_name_counts c where c.shard = p_shard limit p_most) c
    ) a
    left join lateral (
      select c.*
      from queen.trace_name_counts c
      where c.shard = p_shard
      order by c.last_seen desc, c.name desc
      limit p_limit offset p_offset
    ) c on true
    order by c.last_seen desc, c.name desc;
end
$$;
