-- A table to look for.
create table queen.first (id integer primary key);
