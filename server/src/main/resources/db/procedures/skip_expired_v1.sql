-- revision: 1
-- Where a group continues in a partition whose next messages are older than the queue's ttl (p_ttl seconds): behind
-- them, and behind what is done there. For pop_v1, which moves the cursor. With p_dead_letter what expires is copied to
-- the dead letters first; not more than p_limit messages of it in one call, and o_rest says that there is more.
--
-- Called by: pop_v1.
-- Locks: none beyond the cursor, which pop_v1 has locked.
create or replace function queen.skip_expired_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_group text,
  p_start bigint,
  p_end bigint,
  p_acked int8multirange,
  p_ttl integer,
  p_dead_letter boolean,
  p_now timestamptz,
  p_limit integer default 1000,
  out o_start bigint,
  out o_rest boolean
)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
begin
  o_start := queen.offset_after_v1(p_shard, p_partition_id, p_start, p_end, p_now - make_interval(secs => p_ttl));
  o_rest := p_dead_letter and o_start > p_start + p_limit;
  if o_rest then
    o_start := p_start + p_limit;
  end if;
  if p_dead_letter then
    perform queen.dead_letter_range_v1(
      p_shard, p_partition_id, p_group, int8multirange(int8range(p_start, o_start)) - p_acked, 'Expired (ttl)', p_now);
  end if;
  if o_start <@ p_acked then
    o_start := (select upper(r.r) from unnest(p_acked) as r (r) where o_start <@ r.r);
  end if;
end
$$;
