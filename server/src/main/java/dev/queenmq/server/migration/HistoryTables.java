package dev.queenmq.server.migration;

import dev.queenmq.server.migration.SchemaHistory.AppliedMigration;
import dev.queenmq.server.migration.SchemaHistory.AppliedProcedure;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The statements on {@code queen.schema_migrations} and {@code queen.schema_procedures}. */
final class HistoryTables {

  // Not to_regclass: it may answer from a cache that has not heard of another broker's commit.
  private static final String EXISTS =
      """
      select exists (
        select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'queen' and c.relname = 'schema_procedures')
      """;

  private static final String CREATE =
      """
      create schema if not exists queen;
      create table queen.schema_migrations (
        version    integer     primary key,
        name       text        not null,
        checksum   text        not null,
        applied_at timestamptz not null default clock_timestamp()
      );
      comment on table queen.schema_migrations is
        'Changes of the schema that were applied, with the SHA-256 of their text.';
      create table queen.schema_procedures (
        name       text        primary key,
        revision   integer     not null,
        checksum   text        not null,
        applied_at timestamptz not null default clock_timestamp()
      );
      comment on table queen.schema_procedures is
        'The revision of each function that was applied last, with the SHA-256 of its text.';
      """;

  private static final String READ_MIGRATIONS =
      "select version, name, checksum from queen.schema_migrations";

  private static final String READ_PROCEDURES =
      "select name, revision, checksum from queen.schema_procedures";

  private static final String RECORD_MIGRATION =
      "insert into queen.schema_migrations (version, name, checksum) values ($1, $2, $3)";

  private static final String RECORD_PROCEDURES =
      """
      insert into queen.schema_procedures (name, revision, checksum)
      select * from unnest($1::text[], $2::integer[], $3::text[])
      on conflict (name) do update
        set revision = excluded.revision,
            checksum = excluded.checksum,
            applied_at = clock_timestamp()
      """;

  private HistoryTables() {}

  static Future<Boolean> exist(SqlClient connection) {
    return connection.query(EXISTS).execute().map(rows -> rows.iterator().next().getBoolean(0));
  }

  static Future<Void> create(SqlClient connection) {
    return connection.query(CREATE).execute().mapEmpty();
  }

  /** The history; an untouched database has an empty one. */
  static Future<SchemaHistory> read(SqlClient connection) {
    return exist(connection)
        .compose(
            exist ->
                exist ? readExisting(connection) : Future.succeededFuture(SchemaHistory.EMPTY));
  }

  private static Future<SchemaHistory> readExisting(SqlClient connection) {
    return connection
        .query(READ_MIGRATIONS)
        .execute()
        .compose(
            migrations ->
                connection
                    .query(READ_PROCEDURES)
                    .execute()
                    .map(procedures -> history(migrations, procedures)));
  }

  private static SchemaHistory history(Iterable<Row> migrations, Iterable<Row> procedures) {
    Map<Integer, AppliedMigration> applied = new HashMap<>();
    for (Row row : migrations) {
      applied.put(row.getInteger(0), new AppliedMigration(row.getString(1), row.getString(2)));
    }
    Map<String, AppliedProcedure> current = new HashMap<>();
    for (Row row : procedures) {
      current.put(row.getString(0), new AppliedProcedure(row.getInteger(1), row.getString(2)));
    }
    return new SchemaHistory(Map.copyOf(applied), Map.copyOf(current));
  }

  static Future<Void> record(SqlClient connection, List<MigrationStep> steps) {
    Future<Void> recorded = Future.succeededFuture();
    List<Procedure> procedures = new ArrayList<>();
    for (MigrationStep step : steps) {
      if (step instanceof MigrationStep.ApplyMigration apply) {
        recorded = recorded.compose(before -> record(connection, apply.migration()));
      } else if (step instanceof MigrationStep.ApplyProcedure apply) {
        procedures.add(apply.procedure());
      }
    }
    return procedures.isEmpty()
        ? recorded
        : recorded.compose(before -> recordProcedures(connection, procedures));
  }

  private static Future<Void> record(SqlClient connection, Migration migration) {
    return connection
        .preparedQuery(RECORD_MIGRATION)
        .execute(
            Tuple.of(migration.version(), migration.file().name(), migration.file().checksum()))
        .mapEmpty();
  }

  private static Future<Void> recordProcedures(SqlClient connection, List<Procedure> procedures) {
    return connection
        .preparedQuery(RECORD_PROCEDURES)
        .execute(
            Tuple.of(
                procedures.stream().map(Procedure::name).toArray(String[]::new),
                procedures.stream().map(Procedure::revision).toArray(Integer[]::new),
                procedures.stream().map(each -> each.file().checksum()).toArray(String[]::new)))
        .mapEmpty();
  }
}
