-- What all brokers have to know, by key: the switches of maintenance.
create table queen.system_state (
  key        text        primary key,
  value      jsonb       not null,
  updated_at timestamptz not null
);
