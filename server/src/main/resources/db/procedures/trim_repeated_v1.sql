-- revision: 3
-- Removes what was kept for repeated calls and has expired: fences older than an hour, the answers of transactions and
-- what pops took. At most p_limit rows of each table. Answers how many rows were removed.
--
-- Called by: the broker.
-- Locks: the rows that are removed, skipped if locked.
create or replace function queen.trim_repeated_v1(p_shard smallint, p_limit integer) returns integer
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_total integer;
  v_rows integer;
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

  delete from queen.transactions t
  using (
    select o.owner, o.key
    from queen.transactions o
    where o.shard = p_shard and o.expires_at < clock_timestamp()
    order by o.expires_at
    limit p_limit
    for update skip locked
  ) o
  where t.shard = p_shard and t.owner = o.owner and t.key = o.key;
  get diagnostics v_rows = row_count;
  v_total := v_total + v_rows;

  delete from queen.auto_pops a
  where a.shard = p_shard and a.pop_id = any (array(
    select o.pop_id
    from queen.auto_pops o
    where o.shard = p_shard and o.expires_at < clock_timestamp()
    order by o.expires_at
    limit p_limit
    for update skip locked));
  get diagnostics v_rows = row_count;
  return v_total + v_rows;
end
$$;
