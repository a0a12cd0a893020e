package dev.queenmq.server.migration;

import dev.queenmq.server.migration.SchemaHistory.AppliedMigration;
import dev.queenmq.server.migration.SchemaHistory.AppliedProcedure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is still to do, from what a release ships and what the database has.
 *
 * @param pending steps in the order of their application
 * @param newer migrations that only a newer release knows, by name
 */
record MigrationPlan(List<MigrationStep> pending, List<String> newer) {

  /**
   * Compares.
   *
   * @throws MigrationException when a shipped script contradicts what was applied
   */
  static MigrationPlan between(MigrationScripts scripts, SchemaHistory history) {
    List<MigrationStep> pending = new ArrayList<>();
    int highest = history.migrations().keySet().stream().mapToInt(v -> v).max().orElse(0);
    for (Migration migration : scripts.migrations()) {
      if (isPending(migration, history.migrations().get(migration.version()), highest)) {
        pending.add(new MigrationStep.ApplyMigration(migration));
      }
    }
    for (Procedure procedure : scripts.procedures()) {
      if (isPending(procedure, history.procedures().get(procedure.name()))) {
        pending.add(new MigrationStep.ApplyProcedure(procedure));
      }
    }
    return new MigrationPlan(List.copyOf(pending), newer(scripts, history));
  }

  /**
   * The steps of the next transaction. A migration is alone, because it may take long, and what is
   * done stays done. Procedures take no time, and are there together or not at all; a transaction
   * for each would be a tenth of a first start.
   */
  List<MigrationStep> next() {
    return pending.isEmpty() || pending.get(0) instanceof MigrationStep.ApplyMigration
        ? pending.stream().limit(1).toList()
        : pending;
  }

  private static boolean isPending(
      Migration migration, @Nullable AppliedMigration applied, int highest) {
    String name = migration.file().name();
    if (applied == null) {
      if (migration.version() < highest) {
        throw new MigrationException(
            "migration "
                + name
                + " has a lower number than one that is already applied ("
                + highest
                + "); give it the next free number");
      }
      return true;
    }
    if (!applied.checksum().equals(migration.file().checksum())) {
      throw new MigrationException(
          "migration "
              + name
              + " was edited after it was applied as "
              + applied.name()
              + "; restore it and write a new one");
    }
    return false;
  }

  private static boolean isPending(Procedure procedure, @Nullable AppliedProcedure applied) {
    if (applied == null || procedure.revision() > applied.revision()) {
      return true;
    }
    if (procedure.revision() == applied.revision()
        && !applied.checksum().equals(procedure.file().checksum())) {
      throw new MigrationException(
          "procedure "
              + procedure.file().name()
              + " was edited without raising its revision ("
              + procedure.revision()
              + ")");
    }
    // A lower revision is left alone: a newer broker already shares this database.
    return false;
  }

  private static List<String> newer(MigrationScripts scripts, SchemaHistory history) {
    Set<Integer> known =
        scripts.migrations().stream().map(Migration::version).collect(Collectors.toSet());
    return history.migrations().entrySet().stream()
        .filter(applied -> !known.contains(applied.getKey()))
        .map(applied -> applied.getValue().name())
        .sorted()
        .toList();
  }
}
