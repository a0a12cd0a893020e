-- revision: 1
-- Says of queues that were just encrypted that from now on every message of theirs has to be sealed; p_queues null: of all such.
-- Called in a transaction after that of the switch. A push takes the time of its messages before it reads whether the queue
-- is encrypted, so one that found it not to be has an earlier time than this one.
-- Locks: queues, in name order; who has one of them locked is not waited for, and the next call does it.
create or replace function queen.encryption_began_v1(p_queues text[]) returns void
language plpgsql
as $$
begin
  perform from queen.queues q where q.encryption_enabled and q.sealed_since is null;
  if not found then
    return;
  end if;
  update queen.queues q
  set sealed_since = clock_timestamp()
  from (
    select w.id
    from queen.queues w
    where w.encryption_enabled and w.sealed_since is null and (p_queues is null or w.name = any (p_queues))
    order by w.name collate "C"
    for no key update skip locked
  ) w
  where q.id = w.id;
end
$$;
