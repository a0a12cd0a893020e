-- Defaults of columns were bound to pg_catalog's clock when the tables were made. Binds them to the clock of the test:
-- the version of a queue, for one, must not go back when a queue is deleted and made again.
do $$
declare
  v_default record;
begin
  perform set_config('search_path', 'pg_catalog', true);
  for v_default in
    select a.attrelid::regclass::text as relation, a.attname as name, pg_get_expr(d.adbin, d.adrelid) as expression
    from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    join pg_class c on c.oid = d.adrelid
    where c.relnamespace = 'queen'::regnamespace and pg_get_expr(d.adbin, d.adrelid) like '%clock_timestamp()%'
  loop
    perform set_config('search_path', 'queen_testkit, pg_catalog', true);
    execute format(
      'alter table %s alter column %I set default %s', v_default.relation, v_default.name, v_default.expression);
    perform set_config('search_path', 'pg_catalog', true);
  end loop;
end
$$;
