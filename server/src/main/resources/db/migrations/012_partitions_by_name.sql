-- The shard as a plain column: a unique index of a table that is spread over nodes must contain it. The predicate is always true. It
-- lets the planner take this index only where the queue is given: a search by id has to go through the primary key, because that is the
-- order of the locks.
create unique index partitions_by_queue_and_name on queen.partitions (queue_id, name, shard) where queue_id is not null;
drop index queen.partitions_by_name;
alter index queen.partitions_by_queue_and_name rename to partitions_by_name;
