-- revision: 2
-- A page of dead letters, the latest failure first: see selected_dead_letters_v1; p_queue null: of all queues. o_total is
-- how many there are on all pages. The cost grows with dead letters, never with messages.
create or replace function queen.dead_letters_v1(
  p_shard smallint,
  p_queue text,
  p_partition text,
  p_group text,
  p_from timestamptz,
  p_until timestamptz,
  p_limit integer,
  p_offset integer
) returns table (
  total bigint,
  message_id uuid,
  transaction_id text,
  partition_id uuid,
  queue text,
  partition text,
  consumer_group text,
  error_message text,
  retry_count integer,
  payload text,
  encrypted boolean,
  form smallint,
  producer_sub text,
  created_at timestamptz,
  failed_at timestamptz
)
language plpgsql
stable
set plan_cache_mode = force_custom_plan  -- the filters decide
set jit = off
as $$
#variable_conflict use_column
declare
  v_queue_id uuid := (select q.id from queen.queues q where q.name = p_queue);
begin
  -- A row for the total alone, if the page is empty.
  return query
    select t.total, (s.letter).message_id, (s.letter).transaction_id, (s.letter).partition_id, s.queue, s.partition,
           (s.letter).consumer_group, (s.letter).error_message, (s.letter).retry_count, (s.letter).payload,
           (s.letter).encrypted,
           queen.payload_form_v1(
             (s.letter).encrypted, (s.letter).created_at, case when q.encryption_enabled then q.sealed_since end, q.bound_since),
           (s.letter).producer_sub, (s.letter).created_at, (s.letter).failed_at
    from (
      select count(*) as total
      from queen.selected_dead_letters_v1(
        p_shard, v_queue_id, p_partition, null, p_group, p_from, p_until, null) s
      where p_queue is null or v_queue_id is not null
    ) t
    left join lateral (
      select s.*
      from queen.selected_dead_letters_v1(
        p_shard, v_queue_id, p_partition, null, p_group, p_from, p_until, null) s
      where p_queue is null or v_queue_id is not null
      order by (s.letter).failed_at desc, (s.letter).partition_id, (s.letter).consumer_group, (s.letter).message_offset desc
      limit p_limit
      offset p_offset
    ) s on true
    left join queen.queues q on q.id = (s.letter).queue_id
    order by (s.letter).failed_at desc, (s.letter).partition_id, (s.letter).consumer_group, (s.letter).message_offset desc;
end
$$;
