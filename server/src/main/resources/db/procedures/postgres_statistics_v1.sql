-- revision: 1
-- PostgreSQL's statistics of itself and of our tables, as one JSON object. bufferUsage needs the extension
-- pg_buffercache, which we do not ask for: the list is empty.
--
-- Called by: the broker.
-- Locks: none.
create or replace function queen.postgres_statistics_v1() returns text
language sql
stable
as $$
  with tables as (
    select t.schemaname, t.relname, t.relid, t.n_dead_tup, t.n_live_tup, t.last_vacuum, t.last_autovacuum, t.n_tup_upd,
           t.n_tup_hot_upd, t.autovacuum_count, t.autoanalyze_count, i.heap_blks_read, i.heap_blks_hit
    from pg_stat_user_tables t
    join pg_statio_user_tables i on i.relid = t.relid
    where t.schemaname = 'queen'
  ),
  indexes as (
    select i.schemaname, i.relname, i.indexrelname, i.idx_blks_read, i.idx_blks_hit
    from pg_statio_user_indexes i
    where i.schemaname = 'queen'
  ),
  sizes as (
    select t.relname, pg_total_relation_size(t.relid) as total, pg_relation_size(t.relid) as heap,
           pg_indexes_size(t.relid) as index
    from tables t
  )
  select json_build_object(
    'database', current_database(),
    'databaseCache', (
      select json_build_object(
        'database', d.datname,
        'diskReads', d.blks_read,
        'cacheHits', d.blks_hit,
        'cacheHitRatio', round(100.0 * d.blks_hit / nullif(d.blks_hit + d.blks_read, 0), 2))
      from pg_stat_database d
      where d.datname = current_database()),
    'tableCache', coalesce((
      select json_agg(json_build_object(
        'schema', t.schemaname,
        'table', t.relname,
        'diskReads', coalesce(t.heap_blks_read, 0),
        'cacheHits', coalesce(t.heap_blks_hit, 0),
        'cacheHitRatio', round(100.0 * t.heap_blks_hit / nullif(t.heap_blks_hit + t.heap_blks_read, 0), 2))
        order by t.heap_blks_read desc, t.relname)
      from tables t), '[]'),
    'indexCache', coalesce((
      select json_agg(json_build_object(
        'schema', i.schemaname,
        'table', i.relname,
        'index', i.indexrelname,
        'diskReads', i.idx_blks_read,
        'cacheHits', i.idx_blks_hit,
        'cacheHitRatio', round(100.0 * i.idx_blks_hit / nullif(i.idx_blks_hit + i.idx_blks_read, 0), 2))
        order by i.idx_blks_read desc, i.indexrelname)
      from indexes i), '[]'),
    'cacheSummary', json_build_object(
      'tables', (
        select json_build_object(
          'diskReads', coalesce(sum(t.heap_blks_read), 0),
          'cacheHits', coalesce(sum(t.heap_blks_hit), 0),
          'hitRatio', round(100.0 * sum(t.heap_blks_hit) / nullif(sum(t.heap_blks_hit + t.heap_blks_read), 0), 2))
        from tables t),
      'indexes', (
        select json_build_object(
          'diskReads', coalesce(sum(i.idx_blks_read), 0),
          'cacheHits', coalesce(sum(i.idx_blks_hit), 0),
          'hitRatio', round(100.0 * sum(i.idx_blks_hit) / nullif(sum(i.idx_blks_hit + i.idx_blks_read), 0), 2))
        from indexes i)),
    'deadTuples', coalesce((
      select json_agg(json_build_object(
        'schema', t.schemaname,
        'table', t.relname,
        'deadTuples', t.n_dead_tup,
        'liveTuples', t.n_live_tup,
        'deadPercentage', coalesce(round(100.0 * t.n_dead_tup / nullif(t.n_dead_tup + t.n_live_tup, 0), 2), 0),
        'lastVacuum', queen.utc_text_v1(t.last_vacuum),
        'lastAutovacuum', queen.utc_text_v1(t.last_autovacuum))
        order by t.n_dead_tup desc, t.relname)
      from tables t), '[]'),
    'hotUpdates', coalesce((
      select json_agg(json_build_object(
        'schema', t.schemaname,
        'table', t.relname,
        'totalUpdates', t.n_tup_upd,
        'hotUpdates', t.n_tup_hot_upd,
        'hotUpdatePercentage', coalesce(round(100.0 * t.n_tup_hot_upd / nullif(t.n_tup_upd, 0), 2), 0))
        order by t.n_tup_upd desc, t.relname)
      from tables t), '[]'),
    'activeQueries', coalesce((
      select json_agg(json_build_object(
        'pid', a.pid,
        'duration', extract(epoch from clock_timestamp() - a.query_start)::double precision,
        'state', a.state,
        'query', left(a.query, 200),
        'waitEventType', a.wait_event_type,
        'waitEvent', a.wait_event)
        order by a.query_start)
      from pg_stat_activity a
      where a.datname = current_database() and a.pid <> pg_backend_pid() and a.state <> 'idle'
        and a.backend_type = 'client backend'), '[]'),
    'autovacuumStatus', coalesce((
      select json_agg(json_build_object(
        'table', t.relname,
        'lastAutovacuum', queen.utc_text_v1(t.last_autovacuum),
        'deadTuples', t.n_dead_tup,
        'autovacuumCount', t.autovacuum_count,
        'autoanalyzeCount', t.autoanalyze_count)
        order by t.relname)
      from tables t), '[]'),
    'bufferConfig', json_build_object(
      'sharedBuffers', current_setting('shared_buffers'),
      'sharedBuffersSize', pg_size_pretty(pg_size_bytes(current_setting('shared_buffers')))),
    'bufferUsage', '[]'::json,
    'tableSizes', coalesce((
      select json_agg(json_build_object(
        'table', s.relname,
        'totalSize', pg_size_pretty(s.total),
        'totalSizeBytes', s.total,
        'tableSize', pg_size_pretty(s.heap),
        'tableSizeBytes', s.heap,
        'indexSize', pg_size_pretty(s.index),
        'indexSizeBytes', s.index)
        order by s.total desc, s.relname)
      from sizes s), '[]'),
    'timestamp', queen.utc_text_v1(clock_timestamp())
  )::text
$$;
