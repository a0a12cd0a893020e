package dev.queenmq.server;

import dev.queenmq.embedded.Backup;
import dev.queenmq.embedded.EmbeddedPostgresConfig;
import dev.queenmq.embedded.EmbeddedPostgresException;
import dev.queenmq.embedded.Restore;
import dev.queenmq.server.config.ConfigException;
import dev.queenmq.server.config.PostgresSource;
import dev.queenmq.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * {@code queen backup FILE} and {@code queen restore FILE}: the embedded database, as the settings
 * of the environment name it.
 */
final class BackupCommand {
  private static final Set<String> NAMES = Set.of("backup", "restore");
  private static final int FAILED = 1;
  private static final int MISUSED = 2;
  private static final long MIB = 1 << 20;

  private final Map<String, String> environment;
  private final Consumer<String> out;
  private final Consumer<String> error;

  BackupCommand(Map<String, String> environment, Consumer<String> out, Consumer<String> error) {
    this.environment = environment;
    this.out = out;
    this.error = error;
  }

  /** Whether arguments are for this command, and not for a broker. */
  static boolean isMeant(List<String> arguments) {
    return !arguments.isEmpty() && NAMES.contains(arguments.get(0));
  }

  /** The exit code. */
  int run(List<String> arguments) {
    String name = arguments.get(0);
    if (arguments.size() != 2 || arguments.get(1).startsWith("-")) {
      error.accept(
          "usage: queen %s FILE (of the embedded database in QUEEN_DATA_DIR)".formatted(name));
      return MISUSED;
    }
    try {
      ServerConfig config = ServerConfig.read(environment, List.of());
      if (!(config.postgres() instanceof PostgresSource.Embedded source)) {
        error.accept(
            "queen: PG_HOST is set, and this is for the embedded database only. Use the tools of"
                + " your PostgreSQL, or unset PG_HOST");
        return MISUSED;
      }
      Path file = Path.of(arguments.get(1));
      if (name.equals("backup")) {
        backup(source, file);
      } else {
        Restore.run(file, source.dataFolder());
        out.accept(
            "Restored to %s. The next start brings it up to date".formatted(source.dataFolder()));
      }
      return 0;
    } catch (ConfigException e) {
      error.accept("queen: " + e.getMessage());
      return MISUSED;
    } catch (EmbeddedPostgresException e) {
      error.accept("queen: " + e.getMessage());
      return FAILED;
    }
  }

  private void backup(PostgresSource.Embedded source, Path file) throws EmbeddedPostgresException {
    Backup.Summary done =
        Backup.run(
            EmbeddedPostgresConfig.in(source.dataFolder()).withBinDir(source.binFolder()), file);
    out.accept(
        "Backup of %s: %d MiB in a file of %d MiB, %s"
            .formatted(
                source.dataFolder(),
                done.databaseBytes() / MIB,
                done.fileBytes() / MIB,
                file.toAbsolutePath().normalize()));
  }
}
