-- Tells brokers which of two settings of a queue is the newer one: microseconds since 1970, but always above the last.
alter table queen.queues
  add column version bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint;
