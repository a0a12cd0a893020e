package dev.queenmq.server.model;

/** A call that PostgreSQL did not carry out. The text names no SQL and no secret. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final boolean partly;

  public StoreException(Kind kind, String text) {
    super(text);
    this.kind = kind;
    this.partly = false;
  }

  public StoreException(Kind kind, String text, Throwable cause) {
    this(kind, text, cause, false);
  }

  private StoreException(Kind kind, String text, Throwable cause, boolean partly) {
    super(text, cause);
    this.kind = kind;
    this.partly = partly;
  }

  /** The same of a call that is carried out in part. */
  public StoreException partly() {
    return new StoreException(kind, String.valueOf(getMessage()), this, true);
  }

  /**
   * Whether some of the call may have happened: no reply came, or a part was carried out before.
   */
  public boolean mayHaveHappened() {
    return partly || kind == Kind.UNAVAILABLE;
  }

  /** What a caller can do about it. */
  public Kind kind() {
    return kind;
  }

  /** Kinds of failure. */
  public enum Kind {
    /** Rolled back because of other transactions; the same call may succeed now. */
    CONFLICT,
    /** PostgreSQL cannot be reached, or the connection broke: it may or may not have happened. */
    UNAVAILABLE,
    /** It waited too long for a lock of another transaction, and did not happen. */
    LOCKED,
    /** Cancelled: it took longer than allowed, and did not happen. */
    TIMEOUT,
    /** Anything else: a defect, or a database that is not ours. */
    INTERNAL
  }
}
