package dev.queenmq.embedded;

import org.jspecify.annotations.Nullable;

/**
 * The embedded PostgreSQL could not start, or not do what was asked for. The message is meant for a
 * person and says what to do.
 */
public final class EmbeddedPostgresException extends Exception {

  /** The kind of failure, for callers that treat them differently. */
  public enum Reason {
    /** A live process owns the data folder. */
    FOLDER_IN_USE,
    /** The data folder was made by another major version of PostgreSQL. */
    OTHER_VERSION,
    /** The folder cannot be created, entered, written or locked. */
    FOLDER_UNUSABLE,
    /** No PostgreSQL program for this machine, or not at the given place. */
    NO_BINARIES,
    /** The process is root, and PostgreSQL cannot be started as another user. */
    NO_LAUNCHER,
    /** The server runs with settings that could lose a commit. */
    NOT_DURABLE,
    /** PostgreSQL itself refused; the message carries the end of its log. */
    START_FAILED,
    /** A backup could not be made, or not be restored. */
    BACKUP_FAILED
  }

  private final Reason reason;

  EmbeddedPostgresException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  EmbeddedPostgresException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** What kind of thing went wrong. */
  public Reason reason() {
    return reason;
  }
}
