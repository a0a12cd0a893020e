-- revision: 1
-- Which messages of a push must be left out because another attempt of the same push has decided about them?
--
-- A broker whose call got no reply does not know whether it happened, or whether it will still happen: the statement
-- may be in the buffers of a broken connection. When the broker sends the messages again it says which of them were
-- sent before (p_repeated_messages, positions in the call), how long ago at most they were sent first
-- (p_repeated_seconds), and a stamp that is larger than that of every earlier attempt. The caller holds the locks of
-- the partitions, so of two attempts one comes second, and sees what the other has done:
--   - A repetition that comes second finds the messages by their ids, among what the partition got since.
--   - An earlier attempt that comes second finds the fence that the repetition has left in queen.push_fences.
-- Either way the message is stored once, and a message that an earlier attempt left behind is never appended after the
-- repetition was answered.
--
-- Queues that deduplicate by transaction id for long enough do that for both and need neither search nor fence. p_ids,
-- p_next, p_first, p_windows: the partitions by target.
--
-- Called by: push_v1.
-- Locks: fences, in the order of the message ids; only attempts of the same push want the same ones, and they hold the
-- same partition.
create or replace function queen.find_repeated_v1(
  p_shard smallint,
  p_stamp bigint,
  p_repeated_messages integer[],
  p_repeated_seconds integer[],
  p_message_ids uuid[],
  p_message_target integer[],
  p_ids uuid[],
  p_first bigint[],
  p_next bigint[],
  p_windows integer[],
  out o_messages integer[],
  out o_message_ids uuid[]
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  -- Fences are kept for an hour (trim_repeated_v1). A longer window recognises late attempts for at least as long.
  v_fenced_below constant integer := 3600;
begin
  if cardinality(p_repeated_messages) > 0 then
    insert into queen.push_fences as f (shard, message_id, stamp, made_at)
    select p_shard, p_message_ids[d.message], p_stamp, clock_timestamp()
    from unnest(p_repeated_messages) as d (message)
    where p_windows[p_message_target[d.message]] between 0 and v_fenced_below - 1
    order by p_message_ids[d.message]
    on conflict (shard, message_id) do update
    set stamp = greatest(f.stamp, excluded.stamp), made_at = excluded.made_at;
  end if;

  select coalesce(array_agg(r.message), '{}'), coalesce(array_agg(p_message_ids[r.message]), '{}')
  into o_messages, o_message_ids
  from (
    -- superseded
    select m.n::integer as message
    from unnest(p_message_ids) with ordinality as m (id, n)
    cross join lateral (
      select f.stamp
      from queen.push_fences f
      where f.shard = p_shard and f.message_id = m.id
      offset 0
    ) f
    where f.stamp > case when m.n = any (p_repeated_messages) then p_stamp else 0 end
    union
    -- stored
    select d.message
    from (
      select i.id
      from (
        select p_message_target[d.message] as target, max(d.seconds) as seconds
        from unnest(p_repeated_messages, p_repeated_seconds) as d (message, seconds)
        group by 1
      ) t
      cross join lateral (
        select queen.offset_after_v1(
                 p_shard, p_ids[t.target], p_first[t.target], p_next[t.target],
                 clock_timestamp() - make_interval(secs => t.seconds)) as since
        offset 0
      ) o
      cross join lateral (
        select s.message_ids
        from queen.segments s
        where s.shard = p_shard and s.partition_id = p_ids[t.target]
          and s.base_offset >= o.since and s.base_offset < p_next[t.target]
        offset 0
      ) s
      cross join lateral unnest(s.message_ids) as i (id)
      where p_windows[t.target] between 0 and t.seconds
      offset 0
    ) stored
    join unnest(p_repeated_messages) as d (message) on p_message_ids[d.message] = stored.id
  ) r;
end
$$;
