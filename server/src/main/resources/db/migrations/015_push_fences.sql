-- Messages whose push was repeated because its reply was lost. A statement of an earlier attempt that arrives after the
-- repetition finds its messages here and leaves them out (see repeated_messages_v1). Empty unless a reply was lost lately.
create table queen.push_fences (
  shard      smallint    not null,
  message_id uuid        not null,
  stamp      bigint      not null,  -- of the newest attempt: attempts with a smaller one are superseded
  made_at    timestamptz not null,
  primary key (shard, message_id)
);
create index push_fences_by_age on queen.push_fences (shard, made_at);
