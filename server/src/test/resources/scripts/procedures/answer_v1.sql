-- Answers everything.
-- revision: 2
create or replace function queen.answer_v1() returns integer language plpgsql as $$
begin
  return 42;
end
$$;
