-- revision: 2
-- Do consumers without a group read a queue? Once they have read one partition of it, they read all of it, also
-- partitions where they have no cursor yet. Looks at p_limit partitions behind p_after. o_reads is null when more have
-- to be looked at, from o_last on.
--
-- Called by: upkeep_eviction_v1, upkeep_retention_v1.
-- Locks: none.
create or replace function queen.upkeep_unnamed_v1(
  p_shard smallint,
  p_queue_id uuid,
  p_after text,
  p_limit integer,
  out o_reads boolean,
  out o_last text
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_seen integer := 0;
begin
  o_last := p_after;
  for o_last, o_reads in
    select p.name, exists (
      select from queen.cursors c
      where c.shard = p_shard and c.partition_id = p.id and c.consumer_group = '__QUEUE_MODE__')
    from queen.partitions p
    where p.queue_id = p_queue_id and p.shard = p_shard and p.name > p_after
    order by p.name
    limit p_limit
  loop
    exit when o_reads;
    v_seen := v_seen + 1;
  end loop;
  if v_seen = p_limit then
    o_reads := null;
  else
    o_reads := coalesce(o_reads, false);
  end if;
end
$$;
