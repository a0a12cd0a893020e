package dev.queenmq.server.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether PostgreSQL answers, on a connection of its own. Concurrent callers share one
 * query. Safe for use by several threads.
 */
public final class PostgresProbe {

  private static final Logger log = LoggerFactory.getLogger(PostgresProbe.class);

  /** Times the timeout: longer than people leave between two health checks. */
  private static final int SILENCE = 20;

  private static final String ASK = "select " + Durability.COLUMNS;

  private static final int LOOKS = 4;

  private final Vertx vertx;
  private final PrimaryFinder primary;
  private final Duration timeout;
  private final Consumer<Durability> found;
  private PrimaryFinder.@Nullable Reached kept;
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
    this(vertx, PrimaryFinder.of(vertx, options), timeout, found);
  }

  /**
   * A probe of the server that takes writes. It fails when there is none.
   *
   * @param timeout after which silence counts as absence
   * @param found gets what each answer says about commits
   */
  public PostgresProbe(
      Vertx vertx, PrimaryFinder primary, Duration timeout, Consumer<Durability> found) {
    this.vertx = vertx;
    this.primary = primary;
    this.timeout = timeout;
    this.found = found;
  }

  /** Completes when PostgreSQL answered, fails when it did not. */
  public synchronized Future<Void> ask() {
    if (asking == null) {
      Promise<Void> reply = Promise.promise();
      connection()
          .compose(connection -> connection.query(ASK).execute())
          .onSuccess(rows -> found.accept(Durability.of(rows.iterator().next())))
          .onSuccess(rows -> reply.tryComplete())
          .onFailure(reply::tryFail);
      await(reply, LOOKS);
      Future<Void> answer = reply.future().onFailure(fault -> discard()).andThen(result -> done());
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
    return kept == null ? Future.succeededFuture() : kept.opened().close();
  }

  private synchronized void done() {
    asking = null;
  }

  /** Whatever is wrong with the connection, the next question starts with a new one. */
  private synchronized void discard() {
    if (kept != null) {
      close(kept);
      kept = null;
    }
  }

  private static void close(PrimaryFinder.Reached old) {
    old.opened().close().onFailure(failure -> log.debug("closing a connection", failure));
  }

  /** The one there is, if its server is still the one that takes writes, or a new one. */
  private Future<PgConnection> connection() {
    if (kept != null && kept.generation() != primary.generation()) {
      discard();
    }
    PrimaryFinder.Reached old = kept;
    if (old != null) {
      PgConnection connection = old.opened().connection();
      return primary.check(connection).map(generation -> connection);
    }
    return primary
        .connect(
            server ->
                OpenedConnection.guarded(
                    vertx, server.options(), timeout, timeout.multipliedBy(SILENCE)))
        .map(this::keep);
  }

  /** A question that was given up may bring one late. */
  private synchronized PgConnection keep(PrimaryFinder.Reached reached) {
    PrimaryFinder.Reached known = kept;
    if (known == null) {
      kept = reached;
      return reached.opened().connection();
    }
    close(reached);
    return known.opened().connection();
  }
}
