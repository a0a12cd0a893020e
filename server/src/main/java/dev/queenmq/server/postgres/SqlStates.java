package dev.queenmq.server.postgres;

import io.vertx.pgclient.PgException;
import java.util.Set;

/**
 * The error codes of PostgreSQL that the broker distinguishes, in one place.
 *
 * <p>A call of the store asks whether it may be repeated; a start or a migration asks whether it is
 * worth to wait. So the two lists differ: {@code insufficient_resources} makes a call fail as
 * unavailable, but a start waits only for a free connection, not for a full disk.
 */
public final class SqlStates {
  public static final String LOCK_NOT_AVAILABLE = "55P03";
  public static final String QUERY_CANCELED = "57014";

  /** The server starts, stops or recovers. */
  public static final String CANNOT_CONNECT_NOW = "57P03";

  /** The server became a standby, or was made read-only: a write has to go to another one. */
  public static final String READ_ONLY_TRANSACTION = "25006";

  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK_DETECTED = "40P01";
  private static final String FOREIGN_KEY_VIOLATION = "23503";

  private static final Set<String> CONFLICTS =
      Set.of(SERIALIZATION_FAILURE, DEADLOCK_DETECTED, FOREIGN_KEY_VIOLATION);

  private static final Set<String> PASSING =
      Set.of(
          LOCK_NOT_AVAILABLE,
          DEADLOCK_DETECTED,
          SERIALIZATION_FAILURE,
          "57P01", // admin_shutdown, also pg_terminate_backend
          "57P02", // crash_shutdown
          CANNOT_CONNECT_NOW,
          READ_ONLY_TRANSACTION,
          "25P03", // idle_in_transaction_session_timeout
          "53300"); // too_many_connections

  private SqlStates() {}

  /** The code of a failure; empty if PostgreSQL gave none. */
  public static String of(PgException failure) {
    return failure.getSqlState() == null ? "" : failure.getSqlState();
  }

  /** Concurrent work made PostgreSQL roll back. */
  public static boolean isConflict(String state) {
    return CONFLICTS.contains(state);
  }

  /**
   * Connection exceptions, insufficient resources, operator intervention, system errors, and a
   * server that takes no writes.
   */
  public static boolean isUnavailable(String state) {
    return isConnectionException(state)
        || state.equals(READ_ONLY_TRANSACTION)
        || state.startsWith("53")
        || state.startsWith("57")
        || state.startsWith("58");
  }

  /** Whether the same may succeed a moment later. */
  static boolean isPassing(String state) {
    return PASSING.contains(state) || isConnectionException(state);
  }

  private static boolean isConnectionException(String state) {
    return state.startsWith("08");
  }
}
