package dev.queenmq.server.migration;

import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a release applies: its migrations by number, and its procedures, those called first. */
public final class MigrationScripts {

  /** Read once: their checksums are most of what a start in a warm JVM costs. */
  private static final class Bundled {
    static final MigrationScripts SCRIPTS = load(MigrationScripts.class, "db");

    private Bundled() {}
  }

  private final List<Migration> migrations;
  private final List<Procedure> procedures;

  private MigrationScripts(List<Migration> migrations, List<Procedure> procedures) {
    this.migrations = migrations;
    this.procedures = procedures;
  }

  /** The scripts of this release. Reads files: call it off the event loop. */
  public static MigrationScripts bundled() {
    return Bundled.SCRIPTS;
  }

  /**
   * Scripts under {@code root/migrations} and {@code root/procedures} in the folder or jar that
   * holds {@code anchor}.
   */
  public static MigrationScripts load(Class<?> anchor, String root) {
    ScriptFolder folder = new ScriptFolder(anchor);
    return of(folder.list(root + "/migrations"), folder.list(root + "/procedures"));
  }

  static MigrationScripts of(List<ScriptFile> migrations, List<ScriptFile> procedures) {
    List<Migration> parsed =
        migrations.stream()
            .map(Migration::of)
            .sorted(Comparator.comparingInt(Migration::version))
            .toList();
    Set<Integer> versions = new HashSet<>();
    for (Migration migration : parsed) {
      if (!versions.add(migration.version())) {
        throw new MigrationException(
            "two migrations have the number of " + migration.file().name());
      }
    }
    return new MigrationScripts(
        parsed, calledFirst(procedures.stream().map(Procedure::of).toList()));
  }

  /**
   * Puts each procedure behind those that it calls: PostgreSQL checks the body of a function in the
   * language SQL when it is created.
   */
  private static List<Procedure> calledFirst(List<Procedure> procedures) {
    Map<String, Procedure> byName = new LinkedHashMap<>();
    procedures.forEach(procedure -> byName.put(procedure.name(), procedure));
    Set<Procedure> ordered = new LinkedHashSet<>();
    Set<String> visited = new HashSet<>();
    procedures.forEach(procedure -> place(procedure, byName, visited, ordered));
    return List.copyOf(ordered);
  }

  private static void place(
      Procedure procedure,
      Map<String, Procedure> byName,
      Set<String> visited,
      Set<Procedure> ordered) {
    if (!visited.add(procedure.name())) {
      return;
    }
    for (String callee : procedure.callees()) {
      Procedure called = byName.get(callee);
      if (called != null) {
        place(called, byName, visited, ordered);
      }
    }
    ordered.add(procedure);
  }

  List<Migration> migrations() {
    return migrations;
  }

  List<Procedure> procedures() {
    return procedures;
  }
}
