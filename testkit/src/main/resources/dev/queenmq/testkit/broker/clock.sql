-- The clock of the broker under test. Its statements call clock_timestamp() without a schema, and sessions find this one
-- before that of pg_catalog: leases, delays, windows, retention and all else that depends on time go by it.

create schema queen_testkit;

create table queen_testkit.clock (ahead interval not null);
insert into queen_testkit.clock (ahead) values ('0');

create function queen_testkit.clock_timestamp() returns timestamptz
language sql
volatile
cost 1  -- as that of pg_catalog: plans stay the same
as $$
  select pg_catalog.clock_timestamp() + c.ahead from queen_testkit.clock c
$$;

-- Moves the clock forward.
create function queen_testkit.advance(p_micros bigint) returns void
language sql
volatile
as $$
  update queen_testkit.clock c set ahead = c.ahead + p_micros * interval '1 microsecond'
$$;
