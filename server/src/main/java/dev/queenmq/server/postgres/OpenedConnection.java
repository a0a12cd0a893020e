package dev.queenmq.server.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A connection, and how it is closed together with what it needed.
 *
 * @param closing closes both
 */
record OpenedConnection(PgConnection connection, Supplier<Future<Void>> closing) {

  /** One that may take as long as it likes. */
  static Future<OpenedConnection> open(Vertx vertx, PgConnectOptions options) {
    return PgConnection.connect(vertx, options)
        .map(connection -> new OpenedConnection(connection, connection::close));
  }

  /**
   * One that is closed when nothing comes from PostgreSQL for too long, also during login.
   *
   * @param connect limit for the network connection
   * @param silence longer than any statement may take
   */
  static Future<OpenedConnection> guarded(
      Vertx vertx, PgConnectOptions options, Duration connect, Duration silence) {
    Pool pool = KeepAliveGuard.open(vertx, options, connect, silence);
    return KeepAliveGuard.connection(pool)
        .onFailure(failure -> pool.close())
        .map(
            connection ->
                new OpenedConnection(
                    PgConnection.cast(connection),
                    () -> connection.close().eventually(pool::close)));
  }

  Future<Void> close() {
    return closing.get();
  }
}
