-- ANALYZE makes statistics about the elements of arrays. In tables that grow with the traffic it would read and count
-- all ids and payloads of up to 30,000 rows, for seconds, whenever a fifth of the rows is new. No plan needs that: rows
-- of these tables are found by their keys.
do $$
declare
  c record;
begin
  for c in
    select a.attrelid::regclass as of, a.attname as name
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    where a.attrelid = any (array[
        'queen.segments', 'queen.tail', 'queen.leases', 'queen.transactions', 'queen.stream_cycles',
        'queen.auto_pops']::regclass[])
      and t.typcategory = 'A' and a.attnum > 0 and not a.attisdropped
    order by a.attrelid, a.attnum
  loop
    execute format('alter table %s alter column %I set statistics 0', c.of, c.name);
  end loop;
end
$$;
