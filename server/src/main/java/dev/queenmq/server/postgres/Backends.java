package dev.queenmq.server.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Finds out whether PostgreSQL still has the other end of a connection. A connection that the
 * network dropped silently looks like a slow statement; PostgreSQL knows which of its processes
 * exist. Concurrent callers share one query. Safe for use by several threads.
 */
public final class Backends {

  /*
   * Behind a pooler the process ids that connections know are not PostgreSQL's. Then so is that of
   * the connection that asks, and nothing is said about any other.
   */
  private static final String ASK =
      "select pg_backend_pid(), array(select pid from pg_stat_activity where pid = any($1))";

  private final Vertx vertx;
  private final PrimaryFinder primary;
  private final Duration timeout;
  private Map<Integer, Promise<Boolean>> next = new HashMap<>();
  private boolean asking;

  /**
   * Asks nothing yet.
   *
   * @param timeout after which nothing is known
   */
  public Backends(Vertx vertx, PgConnectOptions options, Duration timeout) {
    this(vertx, PrimaryFinder.of(vertx, options), timeout);
  }

  /**
   * Asks nothing yet.
   *
   * @param primary the server to ask
   * @param timeout after which nothing is known
   */
  public Backends(Vertx vertx, PrimaryFinder primary, Duration timeout) {
    this.vertx = vertx;
    this.primary = primary;
    this.timeout = timeout;
  }

  /** Whether the process with this id has ended for certain; fails if PostgreSQL does not say. */
  public Future<Boolean> isGone(int processId) {
    Future<Boolean> answer;
    synchronized (this) {
      answer = next.computeIfAbsent(processId, id -> Promise.promise()).future();
    }
    ask();
    return answer;
  }

  private void ask() {
    Map<Integer, Promise<Boolean>> question;
    synchronized (this) {
      if (asking || next.isEmpty()) {
        return;
      }
      asking = true;
      question = next;
      next = new HashMap<>();
    }
    alive(question.keySet())
        .onComplete(
            alive -> {
              synchronized (this) {
                asking = false;
              }
              question.forEach(
                  (id, promise) -> {
                    if (alive.succeeded()) {
                      promise.complete(!alive.result().contains(id));
                    } else {
                      promise.fail(alive.cause());
                    }
                  });
              ask();
            });
  }

  /**
   * On a new connection, as any other may be a forgotten one. If it reaches another server than
   * before, the finder notifies all that have connections to the one before.
   */
  private Future<Set<Integer>> alive(Set<Integer> ids) {
    Future<PrimaryFinder.Reached> login =
        primary.connect(
            server -> OpenedConnection.guarded(vertx, server.options(), timeout, timeout));
    return login
        .compose(reached -> alive(ids, reached.opened().connection()))
        .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(done -> login.onSuccess(reached -> reached.opened().close()));
  }

  private static Future<Set<Integer>> alive(Set<Integer> ids, SqlConnection connection) {
    return connection
        .preparedQuery(ASK)
        .execute(Tuple.of(ids.toArray(Integer[]::new)))
        .map(
            rows -> {
              Row row = rows.iterator().next();
              boolean direct = row.getInteger(0) == PgConnection.cast(connection).processId();
              return direct ? new HashSet<>(List.of(row.getArrayOfIntegers(1))) : ids;
            });
  }
}
