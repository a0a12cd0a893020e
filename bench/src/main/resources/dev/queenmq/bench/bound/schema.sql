-- The tables of the smallest broker: lanes by name, what they hold, and how far their only group is.
create schema bound;

create table bound.lanes (
  id    uuid primary key,
  queue text collate "C" not null,
  name  text collate "C" not null
);

-- The messages that one commit appends to one lane. The primary key decides who appends at an offset.
create table bound.segments (
  lane            uuid        not null,
  base_offset     bigint      not null,
  message_count   integer     not null,
  created_at      timestamptz not null,
  message_ids     uuid[]      not null,
  transaction_ids text[]      not null,
  payloads        bytea[]     not null,
  primary key (lane, base_offset)
) with (autovacuum_vacuum_insert_scale_factor = 0.2);
alter table bound.segments
  alter column message_ids set storage external,
  alter column transaction_ids set storage external,
  alter column payloads set storage external;

create table bound.cursors (
  lane             uuid   primary key,
  committed        bigint not null,
  lease            uuid,
  lease_expires_at timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
