-- revision: 2
-- The first offset of a partition whose message was created after a moment; next_offset when there is none. created_at
-- never decreases along a partition, so a binary search over the key finds the segment: about log2(messages) index
-- probes, whatever the partition holds.
--
-- Called by: count_backlog_v1, evict_v1, find_repeated_v1, group_offsets_v1, group_partitions_v1, messages_v1,
-- open_cursors_v1, pop_v1, push_v1, reconcile_v1, resources_partitions_v1, retain_v1, seek_v1, skip_expired_v1.
-- Locks: none.
create or replace function queen.offset_after_v1(
  p_shard smallint,
  p_partition_id uuid,
  p_first bigint,
  p_next bigint,
  p_moment timestamptz
) returns bigint
language plpgsql
set enable_seqscan = off
as $$
declare
  v_low bigint := p_first;   -- the answer is at or above
  v_high bigint := p_next;   -- the answer is at or below
  v_middle bigint;
  v_segment record;
begin
  while v_low < v_high loop
    v_middle := (v_low + v_high) / 2;
    select s.base_offset, s.base_offset + s.message_count as end_offset, s.created_at into v_segment
    from queen.segments s
    where s.shard = p_shard and s.partition_id = p_partition_id and s.base_offset <= v_middle
    order by s.base_offset desc
    limit 1;
    if not found then
      v_low := v_middle + 1;  -- removed by retention since the caller looked
    elsif v_segment.created_at > p_moment then
      v_high := greatest(v_segment.base_offset, p_first);
    else
      v_low := greatest(v_segment.end_offset, v_middle + 1);
    end if;
  end loop;
  return least(v_low, p_next);
end
$$;
