-- A lane and the cursor of its group.
with lane as (
  insert into bound.lanes (id, queue, name) values ($1, $2, $3)
)
insert into bound.cursors (lane, committed) values ($1, 0)
