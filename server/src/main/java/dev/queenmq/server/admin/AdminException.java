package dev.queenmq.server.admin;

/** A query that PostgreSQL did not answer. The text names no SQL and no secret. */
public final class AdminException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  AdminException(Kind kind, String text, Throwable cause) {
    super(text, cause);
    this.kind = kind;
  }

  /** What a caller can do about it. */
  public Kind kind() {
    return kind;
  }

  /** Kinds of failure. */
  public enum Kind {
    /** PostgreSQL cannot be reached, or took too long: ask again later. */
    UNAVAILABLE,
    /** Anything else: a defect, or a database that is not ours. */
    INTERNAL
  }
}
