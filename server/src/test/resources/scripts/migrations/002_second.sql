-- Several statements in one file.
create table queen.second (id integer primary key);
insert into queen.second select generate_series(1, 3);
