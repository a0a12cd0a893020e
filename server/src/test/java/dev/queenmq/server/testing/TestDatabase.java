package dev.queenmq.server.testing;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.config.Pooler;
import dev.queenmq.server.config.PostgresEndpoint;
import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.postgres.ConnectOptions;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;

/** A database of a test's own, and short ways to look into it. */
public record TestDatabase(Vertx vertx, PostgresEndpoint endpoint) {

  /** For a connection and for a statement, on a machine that has much else to do. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

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
    return await(
        PgConnection.connect(vertx, options)
            // What uses it when it breaks fails; the driver would print it as well.
            .map(connection -> connection.exceptionHandler(failure -> {})));
  }

  /** Runs statements on a connection of their own; the rows are those of the first. */
  public List<Row> query(String sql) {
    PgConnection connection = connect();
    return await(
        connection
            .query(sql)
            .execute()
            .map(rows -> StreamSupport.stream(rows.spliterator(), false).toList())
            .eventually(connection::close));
  }

  /** The one value of a query. */
  public Object value(String sql) {
    return query(sql).get(0).getValue(0);
  }
}
