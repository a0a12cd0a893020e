package dev.queenmq.server.migration;

import dev.queenmq.server.postgres.PostgresFault;
import io.vertx.pgclient.PgException;

/** Puts what went wrong with a step into words. */
final class MigrationFailure {

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
    String message =
        doing + " failed" + line(sql, failure) + ": " + PostgresFault.describe(failure);
    return new MigrationException(message, failure, PostgresFault.isPassing(failure));
  }

  private static String line(String sql, Throwable failure) {
    if (failure instanceof PgException refused && refused.getPosition() != null) {
      int end = Math.min(Integer.parseInt(refused.getPosition()), sql.length());
      return " in line " + sql.substring(0, end).lines().count();
    }
    return "";
  }
}
