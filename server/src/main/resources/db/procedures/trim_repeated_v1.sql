-- revision: 1
-- Removes what was kept for repeated calls and has served: fences older than an hour. At most p_limit rows of each table.
-- Answers how many rows went.
create or replace function queen.trim_repeated_v1(p_shard smallint, p_limit integer) returns integer
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_total integer;
begin
  delete from queen.push_fences f
  where f.shard = p_shard and f.message_id = any (array(
    select o.message_id
    from queen.push_fences o
    where o.shard = p_shard and o.made_at < clock_timestamp() - interval '1 hour'
    order by o.made_at
    limit p_limit
    for update skip locked));
  get diagnostics v_total = row_count;
  return v_total;
end
$$;
