package dev.queenmq.server.postgres;

import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * Distinguishes transient faults of PostgreSQL and the network from final ones, and describes both.
 */
public final class PostgresFault {

  /** The only text of the driver, whatever the reason. */
  private static final String HANDSHAKE_FAILED = "SSL handshake failed";

  /** How the driver refuses a statement on a connection that has just closed. */
  private static final String CLOSED_BEFORE = "Connection is not active now";

  private static final String UNKNOWN_HOST = "its host name cannot be resolved (PG_HOST)";

  private PostgresFault() {}

  /** Whether the same may succeed a moment later. */
  public static boolean isPassing(Throwable fault) {
    if (fault instanceof PgException refused) {
      return SqlStates.isPassing(SqlStates.of(refused));
    }
    if (fault instanceof SSLException) {
      return false;
    }
    return isLost(fault) || fault instanceof TimeoutException;
  }

  /** Whether the connection broke. */
  private static boolean isLost(Throwable fault) {
    return fault instanceof ClosedConnectionException
        || fault instanceof IOException
        || (fault instanceof VertxException
            && fault.getMessage() != null
            && fault.getMessage().startsWith(CLOSED_BEFORE));
  }

  /** What PostgreSQL or the network said, in one line, with the code if there is one. */
  public static String describe(Throwable fault) {
    if (fault instanceof PgException refused) {
      return refused.getErrorMessage() + " (" + refused.getSqlState() + ")";
    }
    if (isUnknownHost(fault)) {
      return UNKNOWN_HOST;
    }
    String message = fault.getMessage();
    if (HANDSHAKE_FAILED.equals(message)) {
      return "TLS could not be agreed on: its certificate has to be signed by an authority that is"
          + " trusted (PG_SSL_ROOT_CERT) and to be for this host name";
    }
    return message == null ? fault.getClass().getSimpleName() : message;
  }

  /** What is wrong, without names, addresses and texts of PostgreSQL: anyone may read it. */
  public static String summary(Throwable fault) {
    if (isUnknownHost(fault)) {
      return UNKNOWN_HOST;
    }
    if (fault instanceof PgException refused) {
      return SqlStates.CANNOT_CONNECT_NOW.equals(refused.getSqlState())
          ? "PostgreSQL is starting or stopping"
          : "PostgreSQL refuses (" + refused.getSqlState() + ")";
    }
    if (fault instanceof UnsafePostgresException) {
      return "PostgreSQL could lose commits";
    }
    if (fault instanceof NoPrimaryException none) {
      return none.summary();
    }
    if (fault instanceof ConnectException) {
      return "the connection is refused";
    }
    if (fault instanceof TimeoutException) {
      return "no answer in time";
    }
    if (isLost(fault) && !(fault instanceof SSLException)) {
      return "the connection was closed";
    }
    return "PostgreSQL cannot be used; the log says why";
  }

  private static boolean isUnknownHost(Throwable fault) {
    return fault instanceof UnknownHostException;
  }
}
