-- Sealed payloads are bound to their message: docs/decisions/038-bound-payloads.md.

-- From which moment on every payload of a queue has to be sealed, and every sealed one has to be bound. Messages carry the
-- time at which their partition was locked, which is before their push reads whether the queue is encrypted. So whatever is
-- stored plain by right is not younger than sealed_since, which is taken once the switch can be seen.
alter table queen.queues
  add column sealed_since timestamptz,  -- null: not encrypted, or encrypted just now and plain messages may still be under way
  add column bound_since  timestamptz not null default clock_timestamp();
-- A new queue has no payloads in the older form.
alter table queen.queues alter column bound_since set default '-infinity';
update queen.queues set sealed_since = clock_timestamp() where encryption_enabled;
comment on column queen.queues.sealed_since is 'younger plain messages are not delivered; -infinity: no plain message is';
comment on column queen.queues.bound_since is 'younger sealed messages have to be bound; -infinity: all have to';

-- What a pop knows of the queue when it reads the messages. sealed_since is null here for a queue that is not encrypted.
alter type queen.grant_v1 add attribute sealed_since timestamptz;
alter type queen.grant_v1 add attribute bound_since timestamptz;

-- The keys that brokers seal with at present. Old payloads are sealed again only while all of them use one key.
create table queen.sealing_brokers (
  broker_id uuid        primary key,
  key_id    text        not null,
  seen_at   timestamptz not null
);

-- The pass that seals again what is stored: see reseal_page_v1.
create table queen.resealing (
  shard        smallint    primary key,
  complete_key text,         -- everything that can be opened is sealed with it, and bound; null: not known
  pass_id      uuid,         -- of the pass under way; null: there is none
  key_id       text,         -- that it, or the last one, seals with
  holder       uuid,         -- the broker that took the last step
  expires_at   timestamptz,  -- until then no other broker takes one
  started_at   timestamptz,
  ended_at     timestamptz,
  letters      boolean     not null default false,  -- first segments, then dead letters
  at_partition uuid,         -- where the next step goes on
  at_group     text collate "C",
  at_offset    bigint,
  messages     bigint      not null default 0,  -- sealed by this pass
  dead_letters bigint      not null default 0,
  left_over    bigint      not null default 0,  -- that could not be opened, or were locked
  left_queues  uuid[]      not null default '{}'
) with (fillfactor = 50);

-- These answer other columns from now on, which "create or replace" cannot change.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid::regprocedure
    from pg_proc p
    where p.pronamespace = 'queen'::regnamespace
      and p.proname in ('pop_v1', 'holds_sealed_v1', 'message_v1', 'dead_letters_v1', 'named_traces_v1', 'redrive_v1')
  loop
    execute 'drop function ' || v_function;
  end loop;
end
$$;
