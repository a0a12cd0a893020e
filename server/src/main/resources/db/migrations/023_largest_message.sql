-- The bytes of the largest payload that a partition was ever given: with that most pops know that their messages fit into an answer, and
-- need not look at segments before they lease (pop_v1). Of partitions that exist it is not known: the largest number.
alter table queen.partitions add column largest integer not null default 2147483647;
alter table queen.partitions alter column largest set default 0;
