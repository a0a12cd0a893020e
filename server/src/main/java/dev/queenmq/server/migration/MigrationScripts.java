package dev.queenmq.server.migration;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Everything that a release wants to see applied: its migrations in order, and its procedures. */
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
    return new MigrationScripts(parsed, procedures.stream().map(Procedure::of).toList());
  }

  List<Migration> migrations() {
    return migrations;
  }

  List<Procedure> procedures() {
    return procedures;
  }
}
