package dev.queenmq.server.testing;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.postgres.ConnectOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.StreamSupport;

/**
 * A database of a test's own, and short ways to look into it.
 *
 * <p>A session is kept for the next look: tests look every 100 ms until something is so, and a new
 * session costs PostgreSQL more than what they ask. It must therefore leave no settings, no
 * transaction and no lock behind; who needs those opens {@link #connect() a connection}.
 */
public final class TestDatabase {

  /** For a connection and for a statement, on a machine that has much else to do. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String OPERATOR_INTERVENTION = "57P";

  private final Vertx vertx;
  private final PostgresEndpoint endpoint;

  /** Databases that are not in use now. */
  private final Queue<PgConnection> idle = new ConcurrentLinkedQueue<>();

  /** The database there. */
  public TestDatabase(Vertx vertx, PostgresEndpoint endpoint) {
    this.vertx = vertx;
    this.endpoint = endpoint;
  }

  /** On which its connections are. */
  public Vertx vertx() {
    return vertx;
  }

  /** Where it is. */
  public PostgresEndpoint endpoint() {
    return endpoint;
  }

  /** How to connect to it without a pooler. */
  public PgConnectOptions options() {
    return ConnectOptions.of(endpoint, session());
  }

  /** The same, for a store. */
  public PgConnectOptions storeOptions() {
    return ConnectOptions.forStore(endpoint, session());
  }

  private static SessionConfig session() {
    SessionConfig usual = SessionConfig.defaults();
    return new SessionConfig(
        PATIENCE, PATIENCE, usual.lockTimeout(), Pooler.NONE, usual.pipeliningLimit());
  }

  /** A connection that the caller closes. */
  public PgConnection connect() {
    return connect(options());
  }

  /** The same, for a store. */
  public PgConnection connectStore() {
    return connect(storeOptions());
  }

  private PgConnection connect(PgConnectOptions options) {
    return await(open(options));
  }

  private Future<PgConnection> open(PgConnectOptions options) {
    return PgConnection.connect(vertx, options)
        // What uses it when it breaks fails; the driver would print it as well.
        .map(connection -> connection.exceptionHandler(failure -> {}));
  }

  /** Runs statements; the rows are those of the first. */
  public List<Row> query(String sql) {
    PgConnection kept = idle.poll();
    if (kept == null) {
      return await(run(connect(), sql));
    }
    return await(
        run(kept, sql)
            .recover(
                failure ->
                    hasEnded(failure)
                        ? open(options()).compose(fresh -> run(fresh, sql))
                        : Future.failedFuture(failure)));
  }

  private Future<List<Row>> run(PgConnection connection, String sql) {
    return connection
        .query(sql)
        .execute()
        .map(rows -> StreamSupport.stream(rows.spliterator(), false).toList())
        .onSuccess(rows -> idle.add(connection))
        .onFailure(failure -> connection.close());
  }

  /** Whether the session is over, because it was ended or PostgreSQL was restarted. */
  private static boolean hasEnded(Throwable failure) {
    return !(failure instanceof PgException refusal)
        || String.valueOf(refusal.getSqlState()).startsWith(OPERATOR_INTERVENTION);
  }

  /** The one value of a query. */
  public Object value(String sql) {
    return query(sql).get(0).getValue(0);
  }
}
