package dev.queenmq.server.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connections that cannot hang. */
public final class KeepAliveGuard {

  private static final Logger LOG = LoggerFactory.getLogger(KeepAliveGuard.class);

  private KeepAliveGuard() {}

  /*
   * A server that accepts a connection and then says nothing would keep the driver's login, and so
   * the closing of its pool, waiting for ever. The pool's own time limit does not end the login; a
   * socket that is closed when nothing comes does.
   */

  /**
   * A pool of one.
   *
   * @param connect limit for the network connection
   * @param silence after which a connection is closed, also during login
   */
  public static Pool open(
      Vertx vertx, PgConnectOptions options, Duration connect, Duration silence) {
    return PgBuilder.pool()
        .using(vertx)
        .connectingTo(options)
        .with(transport(connect, silence))
        .with(new PoolOptions().setMaxSize(1))
        .build();
  }

  /**
   * A connection of the pool that breaks in silence: what it runs fails anyway. Without a handler
   * the driver prints the failure to the standard error, past the log and its format.
   */
  public static Future<SqlConnection> connection(Pool pool) {
    return pool.getConnection()
        .map(
            connection -> connection.exceptionHandler(failure -> LOG.debug("connection", failure)));
  }

  /**
   * For any pool: its connections are closed when nothing has come from PostgreSQL for too long,
   * whether a statement is in progress or not. What is sent does not count: it may go nowhere.
   *
   * @param connect limit for the network connection
   * @param silence longer than any statement may take
   */
  public static NetClientOptions transport(Duration connect, Duration silence) {
    return new NetClientOptions()
        .setConnectTimeout((int) connect.toMillis())
        .setReadIdleTimeout((int) silence.toMillis())
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
  }
}
