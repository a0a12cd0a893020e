package dev.queenmq.server;

import dev.queenmq.server.admin.QueueDirectory;
import dev.queenmq.server.auth.AuditFile;
import dev.queenmq.server.auth.AuditLog;
import dev.queenmq.server.auth.Authenticator;
import dev.queenmq.server.auth.SkipPaths;
import dev.queenmq.server.config.AuthConfig;
import dev.queenmq.server.http.Guard;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** Puts the guard before the routes. */
final class AuthStart {
  private static final Duration LAST_CLOSE = Duration.ofSeconds(1);

  private AuthStart() {}

  static Guard run(AuthConfig config, QueueDirectory directory, Resources resources) {
    AuditLog audit = AuditLog.start(config.auditFile().map(AuthStart::file).orElse(line -> {}));
    Optional<Authenticator> authenticator =
        config.enabled()
            ? Optional.of(Authenticator.start(config, InstantSource.system()))
            : Optional.empty();
    authenticator.ifPresent(
        running ->
            resources.add(
                LAST_CLOSE,
                () -> {
                  running.close();
                  return Future.succeededFuture();
                }));
    return new Guard(
        authenticator, new SkipPaths(config.skipPaths()), audit, new KnownQueues(directory));
  }

  private static Consumer<String> file(Path path) {
    try {
      return AuditFile.at(path);
    } catch (IOException e) {
      throw new IllegalStateException("cannot write to QUEEN_AUDIT_FILE (" + path + "): " + e, e);
    }
  }
}
