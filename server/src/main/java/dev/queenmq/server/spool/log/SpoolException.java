package dev.queenmq.server.spool.log;

import java.io.IOException;

/** The spool cannot do what it was asked. The text is meant for a person and says what to do. */
public final class SpoolException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  SpoolException(Kind kind, String text) {
    super(text);
    this.kind = kind;
  }

  SpoolException(Kind kind, String text, Throwable cause) {
    super(text, cause);
    this.kind = kind;
  }

  /** What is wrong. */
  public Kind kind() {
    return kind;
  }

  /** What a caller has to tell apart. */
  public enum Kind {
    /** It holds as much as it may: of messages, or of dead entries. */
    FULL,
    /** The disk failed, or has no room. */
    DISK,
    /** The folder cannot be used, or another process uses it. */
    FOLDER,
    /** It was closed. */
    CLOSED
  }
}
