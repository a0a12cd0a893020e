-- revision: 2
-- How much of the messages [p_low, p_high) of a partition an answer with room for p_left bytes holds. A message counts
-- with its payload and 512 bytes for the fields around it; of a segment that is not taken whole, its messages count
-- alike. Only whole segments are left out: one has 128 KiB of payloads at most, or a single message.
--   o_high   up to here it fits; p_low if not even the first segment does
--   o_bytes  bytes of what fits
--   o_first  bytes of the first segment
--   o_all    bytes of all of it
--
-- Called by: pop_v1, range_bytes_v1.
-- Locks: none.
create or replace function queen.fitting_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_low bigint,
  p_high bigint,
  p_left bigint,
  out o_high bigint,
  out o_bytes bigint,
  out o_first bigint,
  out o_all bigint
)
language plpgsql
stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  select coalesce(max(t.high) filter (where t.total <= p_left), p_low),
         coalesce(max(t.total) filter (where t.total <= p_left), 0),
         coalesce(min(t.total), 0), coalesce(max(t.total), 0)
  into o_high, o_bytes, o_first, o_all
  from (
    select least(s.base_offset + s.message_count, p_high) as high,
           sum(queen.piece_bytes_v1(s.bytes, s.payloads, s.message_count,
                 least(s.base_offset + s.message_count, p_high) - greatest(s.base_offset, p_low)))
             over (order by s.base_offset) as total
    from queen.segments s
    where s.shard = p_shard and s.partition_id = p_partition_id
      and s.base_offset >= coalesce((
        select b.base_offset
        from queen.segments b
        where b.shard = p_shard and b.partition_id = p_partition_id and b.base_offset <= p_low
        order by b.base_offset desc
        limit 1), p_low)
      and s.base_offset < p_high
      and s.base_offset + s.message_count > p_low
  ) t;
  -- Offsets behind the last segment, or between two, hold nothing.
  if o_bytes = o_all then
    o_high := p_high;
  end if;
end
$$;
