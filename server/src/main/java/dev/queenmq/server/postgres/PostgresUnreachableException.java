package dev.queenmq.server.postgres;

/** PostgreSQL did not let us in; the message says where, why, and for how long we tried. */
public final class PostgresUnreachableException extends RuntimeException {

  PostgresUnreachableException(String message) {
    super(message);
  }

  PostgresUnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
