package dev.queenmq.embedded;

import dev.queenmq.embedded.process.Launcher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A process that runs an embedded PostgreSQL until its input ends. Arguments: the data folder, the
 * cache for the programs, and optionally a launcher.
 */
final class ChildMain {

  private ChildMain() {}

  public static void main(String[] arguments) throws IOException {
    EmbeddedPostgresConfig config =
        EmbeddedPostgresConfig.in(Path.of(arguments[0])).withBinariesCache(Path.of(arguments[1]));
    if (arguments.length > 2) {
      config = config.withLauncher(Launcher.valueOf(arguments[2].toUpperCase(Locale.ROOT)));
    }
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
      System.out.println("READY " + postgres.postmasterPid());
      System.in.readAllBytes();
    } catch (EmbeddedPostgresException e) {
      System.out.println(
          "FAILED " + e.reason() + " " + String.valueOf(e.getMessage()).replace('\n', ' '));
    }
  }
}
