package dev.queenmq.server.migration;

import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.io.IOException;
import java.util.Set;

/** Tells passing faults from final ones, and puts both into words. */
final class MigrationFailure {

  private static final Set<String> PASSING =
      Set.of(
          "55P03", // lock_not_available: the lock timeout
          "40P01", // deadlock_detected
          "40001", // serialization_failure
          "57P01", // admin_shutdown, also pg_terminate_backend
          "57P02", // crash_shutdown
          "57P03", // cannot_connect_now
          "25P03", // idle_in_transaction_session_timeout
          "53300"); // too_many_connections

  private MigrationFailure() {}

  /**
   * The failure in words.
   *
   * @param doing what was going on
   * @param sql the script that ran, to name the line that PostgreSQL points at
   */
  static MigrationException describe(String doing, String sql, Throwable failure) {
    if (failure instanceof MigrationException own) {
      return own;
    }
    String message = doing + " failed" + line(sql, failure) + ": " + text(failure);
    return new MigrationException(message, failure, isPassing(failure));
  }

  private static boolean isPassing(Throwable failure) {
    if (failure instanceof PgException refused) {
      String state = String.valueOf(refused.getSqlState());
      return PASSING.contains(state) || state.startsWith("08");
    }
    return failure instanceof ClosedConnectionException
        || failure instanceof IOException
        // The pool's own time limit has no type of its own.
        || "Timeout".equals(failure.getMessage());
  }

  private static String line(String sql, Throwable failure) {
    if (failure instanceof PgException refused && refused.getPosition() != null) {
      int end = Math.min(Integer.parseInt(refused.getPosition()), sql.length());
      return " in line " + sql.substring(0, end).lines().count();
    }
    return "";
  }

  private static String text(Throwable failure) {
    if (failure instanceof PgException refused) {
      return refused.getErrorMessage() + " (" + refused.getSqlState() + ")";
    }
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
