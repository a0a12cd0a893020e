-- revision: 2
-- A page of the messages of a queue, the newest first, and their status for consumers without a group. Found without
-- sorting all: the p_offset + p_limit newest are in as many partitions at most, those that were appended to last.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.newest_messages_v1(p_shard smallint, p_queue text, p_limit integer, p_offset integer)
returns table (
  message_id uuid,
  transaction_id text,
  partition_id uuid,
  partition text,
  status text,
  created_at timestamptz
)
language plpgsql
stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
#variable_conflict use_column
declare
  v_window constant integer := p_limit + p_offset;
  v_now constant timestamptz := clock_timestamp();
begin
  return query
    select s.message_ids[m.position], s.transaction_ids[m.position], m.partition_id, m.partition,
           case
             when c.committed is null then 'pending'
             when m.message_offset < c.committed or m.message_offset <@ c.acked then
               case when exists (
                 select from queen.dead_letters d
                 where d.shard = p_shard and d.partition_id = m.partition_id and d.consumer_group = '__QUEUE_MODE__'
                   and d.message_offset = m.message_offset)
               then 'dead_letter' else 'completed' end
             when c.lease_expires_at > v_now and m.message_offset <@ c.leased then 'processing'
             else 'pending'
           end,
           s.created_at
    from (
      select p.id as partition_id, p.name as partition, s.base_offset, n.n as position,
             s.base_offset + n.n - 1 as message_offset
      from (
        select p.id, p.name, p.first_offset
        from queen.partitions p
        join queen.queues q on q.id = p.queue_id
        where p.shard = p_shard and q.name = p_queue and p.next_offset > p.first_offset
        order by p.last_append_at desc, p.name
        limit v_window
      ) p
      cross join lateral (
        select s.base_offset, s.message_count, s.created_at
        from queen.segments s
        where s.shard = p_shard and s.partition_id = p.id
        order by s.base_offset desc
        limit v_window
      ) s
      cross join lateral generate_series(greatest(p.first_offset - s.base_offset, 0)::integer + 1, s.message_count)
        as n (n)
      order by s.created_at desc, p.name, s.base_offset desc, n.n desc
      limit p_limit
      offset p_offset
    ) m
    join queen.segments s on s.shard = p_shard and s.partition_id = m.partition_id and s.base_offset = m.base_offset
    left join queen.cursors c on c.shard = p_shard and c.partition_id = m.partition_id
      and c.consumer_group = '__QUEUE_MODE__'
    order by s.created_at desc, m.partition, m.message_offset desc;
end
$$;
