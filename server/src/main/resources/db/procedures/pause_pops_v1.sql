-- revision: 2
-- Pauses pops of a queue (p_group '': for all groups) or of one group on it, or resumes them. pop_v1 reads it from the
-- queue's row, so no broker has to be notified. Leases, acks and pushes continue. Idempotent: o_changed says whether
-- anything changed, o_since when it was paused (null: it is not). The queue's new version makes brokers look again.
--
-- Called by: the broker.
-- Locks: the queue.
create or replace function queen.pause_pops_v1(
  p_queue text,
  p_group text,
  p_paused boolean,
  p_by text,
  out o_found boolean,
  out o_changed boolean,
  out o_since timestamptz
)
language plpgsql
as $$
declare
  v_pauses jsonb;
begin
  select coalesce(q.pauses, '{}') into v_pauses from queen.queues q where q.name = p_queue for no key update;
  o_found := found;
  o_changed := o_found and (v_pauses ? p_group) <> p_paused;
  if o_changed then
    v_pauses := case
      when p_paused then v_pauses || jsonb_build_object(
        p_group, jsonb_strip_nulls(jsonb_build_object('since', clock_timestamp(), 'by', p_by)))
      else v_pauses - p_group
    end;
    update queen.queues q
    set pauses = nullif(v_pauses, '{}'),
        version = greatest(q.version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
    where q.name = p_queue;
  end if;
  o_since := (v_pauses -> p_group ->> 'since')::timestamptz;
end
$$;
