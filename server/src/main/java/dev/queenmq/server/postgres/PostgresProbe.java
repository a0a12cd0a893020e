package dev.queenmq.server.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks PostgreSQL now and then whether it is still there, on a connection of its own. Any number of
 * askers share one question. Safe for use by several threads.
 */
public final class PostgresProbe {

  private final Vertx vertx;
  private final PgConnectOptions options;
  private final Duration timeout;
  private @Nullable SqlClient client;
  private @Nullable Future<Void> asking;

  /**
   * A probe that connects with the first question.
   *
   * @param timeout after which silence counts as absence
   */
  public PostgresProbe(Vertx vertx, PgConnectOptions options, Duration timeout) {
    this.vertx = vertx;
    this.options = options;
    this.timeout = timeout;
  }

  /** Completes when PostgreSQL answered, fails when it did not. */
  public synchronized Future<Void> ask() {
    if (asking == null) {
      SqlClient asked = client();
      Future<Void> answer =
          asked
              .query("select 1")
              .execute()
              .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
              .<Void>mapEmpty()
              // Whatever was wrong with the connection, the next question starts with a new one.
              .recover(fault -> discard(asked).transform(closed -> Future.failedFuture(fault)))
              .andThen(result -> done());
      asking = answer.isComplete() ? null : answer;
      return answer;
    }
    return asking;
  }

  /** Ends the connection. */
  public synchronized Future<Void> close() {
    return client == null ? Future.succeededFuture() : discard(client);
  }

  private synchronized void done() {
    asking = null;
  }

  private synchronized Future<Void> discard(SqlClient broken) {
    if (client == broken) {
      client = null;
    }
    return broken.close();
  }

  private SqlClient client() {
    if (client == null) {
      client =
          PgBuilder.client()
              .using(vertx)
              .connectingTo(options)
              .with(
                  new PoolOptions()
                      .setMaxSize(1)
                      .setConnectionTimeout((int) timeout.toMillis())
                      .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS))
              .build();
    }
    return client;
  }
}
