package dev.queenmq.server.migration;

/** The database could not be brought up to date; the message says why, in one line. */
public final class MigrationException extends RuntimeException {

  private final boolean passing;

  /** A check of our own failed, which no retry will change. */
  MigrationException(String message) {
    super(message);
    this.passing = false;
  }

  /** Something that PostgreSQL or the network said. */
  MigrationException(String message, Throwable cause, boolean passing) {
    super(message, cause);
    this.passing = passing;
  }

  /** Whether the same may succeed a moment later. */
  boolean passing() {
    return passing;
  }
}
