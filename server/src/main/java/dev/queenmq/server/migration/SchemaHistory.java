package dev.queenmq.server.migration;

import java.util.Map;

/**
 * What the database says was applied to it.
 *
 * @param migrations by version
 * @param procedures by name
 */
record SchemaHistory(
    Map<Integer, AppliedMigration> migrations, Map<String, AppliedProcedure> procedures) {

  static final SchemaHistory EMPTY = new SchemaHistory(Map.of(), Map.of());

  /** A row of {@code queen.schema_migrations}. */
  record AppliedMigration(String name, String checksum) {}

  /** A row of {@code queen.schema_procedures}. */
  record AppliedProcedure(int revision, String checksum) {}
}
