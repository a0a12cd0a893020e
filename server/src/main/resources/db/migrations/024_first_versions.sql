-- The versions of procedures start at 1 again. Databases of early snapshots have functions with these names and other
-- arguments: "create or replace" would leave them as a second function of the same name. No broker has called them
-- since. Functions under names that are not shipped any more (push_v2, for example) stay: a broker of the snapshot
-- before may still call them.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid::regprocedure
    from pg_proc p
    where p.pronamespace = 'queen'::regnamespace
      and p.proname in (
        'drop_segments_v1', 'group_partitions_v1', 'groups_v1', 'history_queues_v1', 'lagging_partitions_v1', 'push_v1',
        'resources_overview_v1', 'resources_partitions_v1', 'resources_queues_v1', 'seek_v1', 'tail_v1',
        'transaction_v1')
  loop
    execute 'drop function ' || v_function;
  end loop;
end
$$;

-- What a push takes, alone or as a part of a transaction or of a cycle: see push_v1.
create type queen.push_request_v1 as (
  -- by target, a partition
  queues            text[],
  partitions        text[],
  partition_ids     uuid[],     -- null where the partition is given by name
  sorted            boolean,    -- all ids are given, in the order of their bytes
  counts            integer[],  -- of messages
  known             bigint[],   -- up to this offset the caller has compared the transaction ids; -1: not at all
  known_windows     integer[],  -- for how many seconds that is complete; -1: for everything stored
  repeats           boolean[],  -- one id occurs twice among the messages; null: repeated ids were held back
  recall_limit      integer,    -- more ids than these are not compared
  -- by segment, in target order
  segment_targets   integer[],
  segment_counts    integer[],
  segment_encrypted boolean[],
  plain             boolean,    -- encrypted queues take plain messages, too
  -- by message, those of all segments laid end to end
  message_segments  integer[],
  message_ids       uuid[],
  transaction_ids   text[],
  payloads          text[],
  trace_ids         uuid[],     -- null: no message has one
  producer_subs     text[],     -- null: likewise
  suspect_messages  integer[],  -- messages whose id is believed to be stored ...
  suspect_offsets   bigint[],   -- ... and where
  lock_first        boolean,    -- the caller expects a queue with a maxSize
  stamp             bigint,     -- of this attempt; 0: the first
  repeated_messages integer[],  -- messages that were sent before ...
  repeated_seconds  integer[],  -- ... and how long ago at most
  largest           integer     -- the bytes of the largest payload
);

-- What a push answers: by target that exists, unless it says otherwise.
create type queen.push_result_v1 as (
  target            integer[],
  partition_id      uuid[],
  base_offset       bigint[],
  created_at        timestamptz[],
  dedup_window      integer[],
  recall            boolean[],  -- nothing was appended: push again
  duplicate_message integer[],  -- messages that were left out ...
  duplicate_id      uuid[],     -- ... and those that they repeat
  no_room           boolean[],  -- by message
  capped            boolean,    -- a queue has a maxSize
  unseen_from       bigint[],
  unseen_ids        text[],     -- of all targets, end to end
  xid               bigint,
  encrypted         boolean[]
);
