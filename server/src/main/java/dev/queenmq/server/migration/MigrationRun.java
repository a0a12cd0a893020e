package dev.queenmq.server.migration;

import dev.queenmq.server.migration.MigrationStep.ApplyMigration;
import dev.queenmq.server.migration.MigrationStep.ApplyProcedure;
import dev.queenmq.server.postgres.Backoff;
import dev.queenmq.server.postgres.KeepAliveGuard;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of {@link Migrations}: attempts, each on a connection of its own, until the deadline.
 */
final class MigrationRun {

  private static final Logger log = LoggerFactory.getLogger(MigrationRun.class);

  private final Vertx vertx;
  private final MigrationScripts scripts;
  private final MigrationSettings settings;
  private final Backoff backoff;
  private final PgConnectOptions database;
  private final LongSupplier nanoTime;
  private final long startedNanos;
  // Attempts follow each other, but perhaps on different threads.
  private final List<MigrationStep> applied = new CopyOnWriteArrayList<>();

  MigrationRun(
      Vertx vertx,
      MigrationScripts scripts,
      MigrationSettings settings,
      Backoff backoff,
      PgConnectOptions database,
      LongSupplier nanoTime) {
    this.vertx = vertx;
    this.scripts = scripts;
    this.settings = settings;
    this.backoff = backoff;
    this.database = database;
    this.nanoTime = nanoTime;
    startedNanos = nanoTime.getAsLong();
  }

  Future<MigrationReport> start() {
    return attempt(0);
  }

  private Future<MigrationReport> attempt(int retries) {
    Pool pool =
        KeepAliveGuard.open(
            vertx,
            database,
            settings.connectTimeout(),
            settings.statementTimeout().plus(settings.connectTimeout()));
    return connect(pool)
        .compose(this::migrate)
        .eventually(pool::close)
        .map(newer -> report(newer, retries))
        .recover(failure -> retry((MigrationException) failure, retries));
  }

  private static Future<SqlConnection> connect(Pool pool) {
    return KeepAliveGuard.connection(pool)
        .recover(
            failure -> Future.failedFuture(MigrationFailure.describe("connecting", "", failure)));
  }

  private Future<List<String>> migrate(SqlConnection connection) {
    return new MigrationAttempt(scripts, settings, connection, applied)
        .run()
        .eventually(connection::close);
  }

  private Future<MigrationReport> retry(MigrationException failure, int retries) {
    if (!failure.passing()) {
      return Future.failedFuture(failure);
    }
    long pause = backoff.pauseMillis(retries);
    if (took().plusMillis(pause).compareTo(settings.deadline()) > 0) {
      return Future.failedFuture(
          new MigrationException(
              "gave up migrating after %d ms and %d attempts: %s"
                  .formatted(took().toMillis(), retries + 1, failure.getMessage()),
              failure,
              false));
    }
    log.info("{}; next attempt in {} ms", failure.getMessage(), pause);
    return vertx.timer(pause, TimeUnit.MILLISECONDS).compose(later -> attempt(retries + 1));
  }

  private MigrationReport report(List<String> newer, int retries) {
    if (!newer.isEmpty()) {
      log.info("the database has migrations of a newer release, left alone: {}", newer);
    }
    return new MigrationReport(
        applied.stream()
            .filter(ApplyMigration.class::isInstance)
            .map(step -> step.file().name())
            .toList(),
        applied.stream()
            .filter(ApplyProcedure.class::isInstance)
            .map(step -> ((ApplyProcedure) step).procedure().name())
            .toList(),
        newer,
        retries,
        took());
  }

  private Duration took() {
    return Duration.ofNanos(nanoTime.getAsLong() - startedNanos);
  }
}
