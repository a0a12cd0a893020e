package dev.queenmq.server.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
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

  private static final String ASK = "select " + Durability.COLUMNS;

  private static final int LOOKS = 4;

  private final Vertx vertx;
  private final PgConnectOptions options;
  private final Duration timeout;
  private final Consumer<Durability> found;
  private @Nullable SqlClient client;
  private @Nullable Future<Void> asking;

  /**
   * A probe that connects with the first question.
   *
   * @param timeout after which silence counts as absence
   * @param found gets what each answer says about commits: a server that came back may have other
   *     settings
   */
  public PostgresProbe(
      Vertx vertx, PgConnectOptions options, Duration timeout, Consumer<Durability> found) {
    this.vertx = vertx;
    this.options = options;
    this.timeout = timeout;
    this.found = found;
  }

  /** Completes when PostgreSQL answered, fails when it did not. */
  public synchronized Future<Void> ask() {
    if (asking == null) {
      SqlClient asked = client();
      Promise<Void> reply = Promise.promise();
      asked
          .query(ASK)
          .execute()
          .onSuccess(rows -> found.accept(Durability.of(rows.iterator().next())))
          .onSuccess(rows -> reply.tryComplete())
          .onFailure(reply::tryFail);
      await(reply, LOOKS);
      Future<Void> answer =
          reply.future().onFailure(fault -> discard(asked)).andThen(result -> done());
      asking = answer.isComplete() ? null : answer;
      return answer;
    }
    return asking;
  }

  /**
   * Fails a question that has no answer after the timeout, in several steps: an event loop that was
   * busy for long finds an expired timer before the answer that has come meanwhile. That must not
   * look like an absence.
   */
  private void await(Promise<Void> reply, int looks) {
    if (looks == 0) {
      reply.tryFail(new TimeoutException("no answer within " + timeout.toMillis() + " ms"));
      return;
    }
    vertx.setTimer(
        Math.max(1, timeout.toMillis() / LOOKS),
        later -> {
          if (!reply.future().isComplete()) {
            await(reply, looks - 1);
          }
        });
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
      client = KeepAliveGuard.open(vertx, options, timeout, timeout.multipliedBy(SILENCE));
    }
    return client;
  }
}
