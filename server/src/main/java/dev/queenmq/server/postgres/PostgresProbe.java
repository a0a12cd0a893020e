package dev.queenmq.server.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks PostgreSQL now and then whether it is still there, on a connection of its own. Any number of
 * askers share one question. Safe for use by several threads.
 */
public final class PostgresProbe {

  private static final Logger log = LoggerFactory.getLogger(PostgresProbe.class);

  /** Times the timeout: longer than people leave between two health checks. */
  private static final int SILENCE = 20;

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
              .onFailure(fault -> discard(asked))
              .andThen(result -> done());
      asking = answer.isComplete() ? null : answer;
      return answer;
    }
    return asking;
  }

  /** Ends the connection. */
  public synchronized Future<Void> close() {
    return client == null ? Future.succeededFuture() : client.close();
  }

  private synchronized void done() {
    asking = null;
  }

  /** Whatever is wrong with the connection, the next question starts with a new one. */
  private synchronized void discard(SqlClient broken) {
    if (client == broken) {
      client = null;
    }
    broken.close().onFailure(failure -> log.debug("closing a broken connection", failure));
  }

  private SqlClient client() {
    if (client == null) {
      client = ShortLine.open(vertx, options, timeout, timeout.multipliedBy(SILENCE));
    }
    return client;
  }
}
