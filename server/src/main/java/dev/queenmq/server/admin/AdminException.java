package dev.queenmq.server.admin;

import org.jspecify.annotations.Nullable;

/** A query that has no answer. The text names no SQL and no secret. */
public final class AdminException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  AdminException(Kind kind, String text, @Nullable Throwable cause) {
    super(text, cause);
    this.kind = kind;
  }

  /** More was asked for than one answer may have; the text says so to the client. */
  public static AdminException tooLarge(String text) {
    return new AdminException(Kind.TOO_LARGE, text, null);
  }

  /** What a caller can do about it. */
  public Kind kind() {
    return kind;
  }

  /** Kinds of failure. */
  public enum Kind {
    /** PostgreSQL cannot be reached, or took too long: ask again later. */
    UNAVAILABLE,
    /** The answer would be too large: ask for less. */
    TOO_LARGE,
    /** Anything else: a defect, or a database that is not ours. */
    INTERNAL
  }
}
