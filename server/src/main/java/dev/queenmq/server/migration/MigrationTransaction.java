package dev.queenmq.server.migration;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A transaction that excludes other migrating brokers. All its settings and its lock end with it,
 * so it also works where a pooler gives the connection to another client afterwards.
 */
final class MigrationTransaction {

  /** The letters "queen" as a number; any other user of advisory locks will hardly choose it. */
  private static final long LOCK = 0x717565656eL;

  /*
   * An empty search path makes a script that forgets to name its schema fail instead of creating
   * its table somewhere. The idle timeout frees the lock of a broker that hangs half-way.
   */
  private static final String SETTINGS =
      """
      select set_config('lock_timeout', $1, true),
             set_config('statement_timeout', $2, true),
             set_config('idle_in_transaction_session_timeout', '60s', true),
             set_config('client_min_messages', 'warning', true),
             set_config('search_path', '', true)
      """;

  private final SqlConnection connection;
  private final MigrationSettings settings;

  MigrationTransaction(SqlConnection connection, MigrationSettings settings) {
    this.connection = connection;
    this.settings = settings;
  }

  /** Runs the work under the lock and commits, or rolls back and fails as the work did. */
  <T> Future<T> run(Supplier<Future<T>> work) {
    return connection
        .begin()
        .compose(
            transaction ->
                lock()
                    .compose(locked -> work.get())
                    .compose(result -> transaction.commit().map(result))
                    .recover(
                        failure ->
                            transaction
                                .rollback()
                                .transform(ignored -> Future.failedFuture(failure))));
  }

  private Future<Void> lock() {
    return connection
        .preparedQuery(SETTINGS)
        .execute(Tuple.of(millis(settings.lockTimeout()), millis(settings.statementTimeout())))
        .compose(
            set ->
                connection
                    .preparedQuery("select pg_advisory_xact_lock($1)")
                    .execute(Tuple.of(LOCK)))
        .mapEmpty();
  }

  private static String millis(Duration duration) {
    return duration.toMillis() + "ms";
  }
}
