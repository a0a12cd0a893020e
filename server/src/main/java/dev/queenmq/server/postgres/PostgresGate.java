package dev.queenmq.server.postgres;

import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Tls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first contact with a PostgreSQL: waits for one that is still starting, and finds out what
 * stands in between.
 */
public final class PostgresGate {

  /*
   * A pooler is known by its process id: PostgreSQL tells the id of its process when a connection
   * is made, so that a statement can be cancelled; a pooler invents one, as it does not know yet
   * which server connection will serve the client.
   */
  private static final String ASK =
      "select pg_backend_pid(), current_setting('server_version'), " + Durability.COLUMNS;

  /** Between two log lines about the same wait. */
  private static final Duration REPORT_EVERY = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(PostgresGate.class);

  private final Vertx vertx;
  private final SessionConfig session;
  private final Duration patience;
  private final Backoff backoff;
  private final Consumer<String> waiting;

  /**
   * A gate.
   *
   * @param patience with passing faults; 0 means a single attempt
   */
  public PostgresGate(Vertx vertx, SessionConfig session, Duration patience, Backoff backoff) {
    this(vertx, session, patience, backoff, why -> {});
  }

  /**
   * A gate.
   *
   * @param patience with passing faults; 0 means a single attempt
   * @param waiting gets the reason of each wait, in words that are safe to show to any client
   */
  public PostgresGate(
      Vertx vertx,
      SessionConfig session,
      Duration patience,
      Backoff backoff,
      Consumer<String> waiting) {
    this.vertx = vertx;
    this.session = session;
    this.patience = patience;
    this.backoff = backoff;
    this.waiting = waiting;
  }

  /** Completes once the server answers, or fails with a {@link PostgresUnreachableException}. */
  public Future<ReachedPostgres> enter(PostgresEndpoint endpoint) {
    return ConnectOptions.missingFile(endpoint.tls())
        .map(
            missing ->
                Future.<ReachedPostgres>failedFuture(new PostgresUnreachableException(missing)))
        .orElseGet(() -> attempt(endpoint, System.nanoTime(), 0, Duration.ZERO));
  }

  /**
   * Looks whether the files are good that an encrypted connection needs. Blocks.
   *
   * @throws PostgresUnreachableException that names the setting and the file
   */
  public static void checkFiles(Vertx vertx, Tls tls) {
    ConnectOptions.missingFile(tls)
        .or(() -> ConnectOptions.badFile(vertx, tls))
        .ifPresent(
            wrong -> {
              throw new PostgresUnreachableException(wrong);
            });
  }

  private Future<ReachedPostgres> attempt(
      PostgresEndpoint endpoint, long started, int attempt, Duration nextReport) {
    return ask(endpoint)
        .recover(
            fault -> {
              Duration took = Duration.ofNanos(System.nanoTime() - started);
              long pause = backoff.pauseMillis(attempt);
              if (!PostgresFault.isPassing(fault)) {
                return Future.failedFuture(refused(endpoint, fault));
              }
              if (took.plusMillis(pause).compareTo(patience) > 0) {
                return Future.failedFuture(unreachable(endpoint, fault, took));
              }
              boolean report = took.compareTo(nextReport) >= 0;
              if (report) {
                log.warn(
                    "waiting for PostgreSQL at {} since {} s: {}",
                    endpoint.describe(),
                    took.toSeconds(),
                    PostgresFault.describe(fault));
              }
              waiting.accept(PostgresFault.summary(fault));
              return vertx
                  .timer(pause, TimeUnit.MILLISECONDS)
                  .compose(
                      later ->
                          attempt(
                              endpoint,
                              started,
                              attempt + 1,
                              report ? took.plus(REPORT_EVERY) : nextReport));
            });
  }

  private Future<ReachedPostgres> ask(PostgresEndpoint endpoint) {
    // As if behind a pooler: such a connection works everywhere.
    Pool pool =
        KeepAliveGuard.open(
            vertx,
            ConnectOptions.of(endpoint, session.with(Pooler.TRANSACTION)),
            session.connectTimeout(),
            session.connectTimeout());
    return KeepAliveGuard.connection(pool)
        .compose(connection -> ask(endpoint, connection).eventually(connection::close))
        .eventually(pool::close);
  }

  private Future<ReachedPostgres> ask(PostgresEndpoint endpoint, SqlConnection connection) {
    return connection
        .query(ASK)
        .execute()
        .map(
            rows -> {
              Row row = rows.iterator().next();
              boolean direct = row.getInteger(0) == PgConnection.cast(connection).processId();
              Pooler found = pooler(direct);
              return new ReachedPostgres(
                  row.getString(1),
                  found,
                  ConnectOptions.of(endpoint, session.with(found)),
                  ConnectOptions.forStore(endpoint, session.with(found)),
                  Durability.of(row));
            });
  }

  private Pooler pooler(boolean direct) {
    if (session.pooler() != Pooler.AUTO) {
      return session.pooler();
    }
    return direct ? Pooler.NONE : Pooler.TRANSACTION;
  }

  private static PostgresUnreachableException refused(PostgresEndpoint endpoint, Throwable fault) {
    return new PostgresUnreachableException(
        "PostgreSQL at %s refuses: %s".formatted(endpoint.describe(), reason(endpoint, fault)),
        fault);
  }

  /** Without a password the driver may not even ask: SCRAM knows no empty one. */
  private static String reason(PostgresEndpoint endpoint, Throwable fault) {
    boolean login =
        fault instanceof IllegalArgumentException
            || (fault instanceof PgException refused
                && String.valueOf(refused.getSqlState()).startsWith("28"));
    return login && endpoint.password().value().isEmpty()
        ? "it asks for a password, but PG_PASSWORD is not set"
        : PostgresFault.describe(fault);
  }

  private static PostgresUnreachableException unreachable(
      PostgresEndpoint endpoint, Throwable fault, Duration took) {
    return new PostgresUnreachableException(
        "PostgreSQL at %s did not answer within %d ms: %s"
            .formatted(endpoint.describe(), took.toMillis(), PostgresFault.describe(fault)),
        fault);
  }
}
