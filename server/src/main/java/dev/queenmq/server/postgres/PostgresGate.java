package dev.queenmq.server.postgres;

import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Tls;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first connection to a PostgreSQL: waits for one that is still starting, and detects a pooler.
 */
public final class PostgresGate {

  /*
   * A pooler is known by its process id: PostgreSQL sends the id of its process when a connection
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
  private final LongSupplier nanoTime;
  private final Consumer<String> waiting;

  /**
   * A gate.
   *
   * @param patience with passing faults; 0 means a single attempt
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public PostgresGate(
      Vertx vertx,
      SessionConfig session,
      Duration patience,
      Backoff backoff,
      LongSupplier nanoTime) {
    this(vertx, session, patience, backoff, nanoTime, why -> {});
  }

  /**
   * A gate.
   *
   * @param patience with passing faults; 0 means a single attempt
   * @param nanoTime as {@link System#nanoTime} counts
   * @param waiting gets the reason of each wait, in words that are safe to show to any client
   */
  public PostgresGate(
      Vertx vertx,
      SessionConfig session,
      Duration patience,
      Backoff backoff,
      LongSupplier nanoTime,
      Consumer<String> waiting) {
    this.vertx = vertx;
    this.session = session;
    this.patience = patience;
    this.backoff = backoff;
    this.nanoTime = nanoTime;
    this.waiting = waiting;
  }

  /** Completes once the server answers, or fails with a {@link PostgresUnreachableException}. */
  public Future<ReachedPostgres> enter(PostgresEndpoint endpoint) {
    return enter(List.of(endpoint));
  }

  /**
   * Completes once one of these servers takes writes, or fails with a {@link
   * PostgresUnreachableException}.
   *
   * @param endpoints of one cluster; what stands in front of them is the same for all
   */
  public Future<ReachedPostgres> enter(List<PostgresEndpoint> endpoints) {
    return ConnectOptions.missingFile(endpoints.get(0).tls())
        .map(
            missing ->
                Future.<ReachedPostgres>failedFuture(new PostgresUnreachableException(missing)))
        .orElseGet(() -> attempt(endpoints, nanoTime.getAsLong(), 0, Duration.ZERO));
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
      List<PostgresEndpoint> endpoints, long started, int attempt, Duration nextReport) {
    return ask(endpoints)
        .recover(
            fault -> {
              Duration took = Duration.ofNanos(nanoTime.getAsLong() - started);
              long pause = backoff.pauseMillis(attempt);
              if (!PostgresFault.isPassing(fault)) {
                return Future.failedFuture(refused(endpoints, fault));
              }
              if (took.plusMillis(pause).compareTo(patience) > 0) {
                return Future.failedFuture(unreachable(endpoints, fault, took));
              }
              boolean report = took.compareTo(nextReport) >= 0;
              if (report) {
                log.warn(
                    "waiting for PostgreSQL at {} since {} s: {}",
                    PostgresEndpoint.describe(endpoints),
                    took.toSeconds(),
                    PostgresFault.describe(fault));
              }
              waiting.accept(PostgresFault.summary(fault));
              return vertx
                  .timer(pause, TimeUnit.MILLISECONDS)
                  .compose(
                      later ->
                          attempt(
                              endpoints,
                              started,
                              attempt + 1,
                              report ? took.plus(REPORT_EVERY) : nextReport));
            });
  }

  /**
   * Asks all of them at once; the first that takes writes counts. What is wrong with several passes
   * by unless it is final with each of them.
   */
  private Future<ReachedPostgres> ask(List<PostgresEndpoint> endpoints) {
    if (endpoints.size() == 1) {
      return ask(endpoints, 0);
    }
    Promise<ReachedPostgres> first = Promise.promise();
    Map<String, Throwable> faults = Collections.synchronizedMap(new LinkedHashMap<>());
    List<Future<ReachedPostgres>> each =
        IntStream.range(0, endpoints.size())
            .mapToObj(
                place ->
                    ask(endpoints, place)
                        .onSuccess(first::tryComplete)
                        .onFailure(fault -> faults.put(endpoints.get(place).address(), fault)))
            .toList();
    Future.join(each)
        .onFailure(
            any ->
                first.tryFail(
                    faults.values().stream().anyMatch(PostgresFault::isPassing)
                        ? NoPrimaryException.of(faults)
                        : any));
    return first.future();
  }

  private Future<ReachedPostgres> ask(List<PostgresEndpoint> endpoints, int place) {
    // As if behind a pooler: such a connection works everywhere.
    Pool pool =
        KeepAliveGuard.open(
            vertx,
            ConnectOptions.of(endpoints.get(place), session.with(Pooler.TRANSACTION)),
            session.connectTimeout(),
            session.connectTimeout());
    return KeepAliveGuard.connection(pool)
        .compose(connection -> ask(endpoints, place, connection).eventually(connection::close))
        .eventually(pool::close);
  }

  private Future<ReachedPostgres> ask(
      List<PostgresEndpoint> endpoints, int place, SqlConnection connection) {
    return ServerState.of(connection)
        .compose(
            state ->
                state.takesWrites()
                    ? connection
                        .query(ASK)
                        .execute()
                        .map(
                            rows ->
                                reached(
                                    endpoints,
                                    place,
                                    state.identity(),
                                    PgConnection.cast(connection).processId(),
                                    rows.iterator().next()))
                    : Future.failedFuture(NoPrimaryException.of(state)));
  }

  private ReachedPostgres reached(
      List<PostgresEndpoint> endpoints,
      int place,
      ServerState.Identity identity,
      int processId,
      Row row) {
    Pooler found = pooler(row.getInteger(0) == processId);
    List<PrimaryFinder.Server> servers =
        endpoints.stream()
            .map(
                each ->
                    new PrimaryFinder.Server(
                        each.address(),
                        ConnectOptions.of(each, session.with(found)),
                        ConnectOptions.forStore(each, session.with(found))))
            .toList();
    return new ReachedPostgres(
        row.getString(1),
        found,
        endpoints.get(place),
        servers.get(place).options(),
        servers.get(place).storeOptions(),
        new PrimaryFinder(vertx, servers, found != Pooler.NONE, place, Optional.of(identity)),
        Durability.of(row));
  }

  private Pooler pooler(boolean direct) {
    if (session.pooler() != Pooler.AUTO) {
      return session.pooler();
    }
    return direct ? Pooler.NONE : Pooler.TRANSACTION;
  }

  private static PostgresUnreachableException refused(
      List<PostgresEndpoint> endpoints, Throwable fault) {
    return new PostgresUnreachableException(
        "PostgreSQL at %s refuses: %s"
            .formatted(PostgresEndpoint.describe(endpoints), reason(endpoints.get(0), fault)),
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
      List<PostgresEndpoint> endpoints, Throwable fault, Duration took) {
    return new PostgresUnreachableException(
        "PostgreSQL at %s did not answer within %d ms: %s"
            .formatted(
                PostgresEndpoint.describe(endpoints),
                took.toMillis(),
                PostgresFault.describe(fault)),
        fault);
  }
}
