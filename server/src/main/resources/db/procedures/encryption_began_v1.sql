-- revision: 3
-- Records of queues that were encrypted that from now on every message of theirs has to be sealed. Plain messages with
-- a later time are not delivered, so no push may be under way that found its queue unencrypted and takes its time
-- later. Called in a transaction after that of the switch, in one of two ways:
--   p_queues: by the broker that switched them, once the appends that were under way have ended (appends_under_way_v1).
--   null: periodically, for all such queues, because that broker may have died. It waits for nothing, so it takes
--     queues that were configured five minutes ago. A push that waits for a lock appends on what it read before for two
--     seconds at most (push_several), and the transaction that configured the queue was over after the statement
--     timeout.
--
-- Called by: the broker, reseal_look_v1.
-- Locks: queues, in name order; one that is locked is not waited for, and left to the next call.
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
    where w.encryption_enabled and w.sealed_since is null
      and case
        when p_queues is not null then w.name = any (p_queues)
        else w.version < (extract(epoch from clock_timestamp() - interval '5 minutes') * 1000000)::bigint
      end
    order by w.name collate "C"
    for no key update skip locked
  ) w
  where q.id = w.id;
end
$$;
