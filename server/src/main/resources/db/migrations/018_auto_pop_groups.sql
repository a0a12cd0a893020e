-- Whose cursors a pop with autoAck moved: they are moved back if its reply was lost (take_back_v1).
alter table queen.auto_pops add column consumer_group text collate "C" not null default '';
