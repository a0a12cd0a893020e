package dev.queenmq.server;

import dev.queenmq.server.auth.AuditFile;
import dev.queenmq.server.auth.AuditLog;
import dev.queenmq.server.auth.AuditWriter;
import dev.queenmq.server.auth.Authenticator;
import dev.queenmq.server.auth.SkipPaths;
import dev.queenmq.server.config.AuthConfig;
import dev.queenmq.server.http.routing.Guard;
import dev.queenmq.server.http.routing.QueueNames;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Puts the guard before the routes; what it needs for that is there before PostgreSQL is. */
final class AuthStart {
  private static final Duration LAST_CLOSE = Duration.ofSeconds(1);

  private final Optional<Authenticator> authenticator;
  private final SkipPaths open;
  private final AuditLog audit;

  private AuthStart(Optional<Authenticator> authenticator, SkipPaths open, AuditLog audit) {
    this.authenticator = authenticator;
    this.open = open;
    this.audit = audit;
  }

  static AuthStart run(AuthConfig config, Resources resources) {
    AuditWriter writer =
        AuditWriter.start(
            AuditLog.target(config.auditFile().map(AuthStart::file).orElse(lines -> {})));
    resources.add(
        LAST_CLOSE,
        () -> {
          writer.close();
          return Future.succeededFuture();
        });
    AuditLog audit = AuditLog.start(writer);
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
    return new AuthStart(authenticator, new SkipPaths(config.skipPaths()), audit);
  }

  /** Of a broker that has its PostgreSQL. */
  Guard guard(KnownQueues names) {
    return guard((QueueNames) names);
  }

  /** Of a broker that has not: what callers name by id, it cannot find. */
  Guard guardWithoutNames() {
    return guard(new UnknownQueues());
  }

  private Guard guard(QueueNames names) {
    return new Guard(authenticator, open, audit, names);
  }

  private static Consumer<List<String>> file(Path path) {
    try {
      return AuditFile.at(path);
    } catch (IOException e) {
      throw new IllegalStateException("cannot write to QUEEN_AUDIT_FILE (" + path + "): " + e, e);
    }
  }
}
