package dev.queenmq.server;

import dev.queenmq.embedded.files.FolderAccess;
import dev.queenmq.server.config.PostgresSource;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.http.server.HttpFront;
import dev.queenmq.server.postgres.PostgresGate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks what a start needs and what can be checked at once: the port, and the files that settings
 * name. Runs before anything is unpacked, created or opened. A failure names the setting.
 */
final class StartChecks {

  private StartChecks() {}

  /** Completes if nothing is wrong; any failure's message is meant for a person. */
  static Future<Void> run(Vertx vertx, ServerConfig config) {
    return HttpFront.check(vertx, config.http())
        .compose(
            good ->
                vertx.executeBlocking(
                    () -> {
                      auditFile(config);
                      postgresFiles(vertx, config);
                      return null;
                    }))
        .mapEmpty();
  }

  private static void postgresFiles(Vertx vertx, ServerConfig config) {
    if (config.postgres() instanceof PostgresSource.External external) {
      PostgresGate.checkFiles(vertx, external.tls());
    }
  }

  private static void auditFile(ServerConfig config) throws IOException {
    if (config.auth().auditFile().isEmpty()) {
      return;
    }
    Path file = config.auth().auditFile().get().toAbsolutePath();
    boolean good =
        Files.exists(file) ? Files.isRegularFile(file) && Files.isWritable(file) : free(file);
    if (!good) {
      throw new IOException(
          "QUEEN_AUDIT_FILE: %s cannot be written; it must be a file in a folder that this user may write to"
              .formatted(file));
    }
  }

  /** Its folder is made if it is missing. */
  private static boolean free(Path file) {
    try {
      FolderAccess.check(file.resolveSibling("."));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
