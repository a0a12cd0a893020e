package dev.queenmq.server.auth;

/** Why somebody is not let in; the text is for them, and has nothing of a token or a key. */
public final class AuthException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of reason it is. */
  public enum Kind {
    /** There is no token. */
    MISSING,
    /** There is one, and it is not good. */
    INVALID,
    /** It is good, but not for this. */
    FORBIDDEN,
    /** It cannot be checked now. */
    UNAVAILABLE
  }

  private final Kind kind;

  AuthException(Kind kind, String text) {
    super(text, null, false, false);
    this.kind = kind;
  }

  static AuthException invalid(String text) {
    return new AuthException(Kind.INVALID, text);
  }

  /** For want of a role, or of a queue. */
  public static AuthException forbidden() {
    return new AuthException(Kind.FORBIDDEN, "Insufficient permissions");
  }

  /** For want of a queue that the caller named. */
  public static AuthException forbidden(String queue) {
    return new AuthException(
        Kind.FORBIDDEN, "Insufficient permissions for queue " + DisplayText.shortened(queue));
  }

  /** For want of the right to give a label, or a priority. */
  public static AuthException forbiddenLabel(String label) {
    return new AuthException(
        Kind.FORBIDDEN, "Insufficient permissions to change the " + label + " of the queue");
  }

  /** What kind of reason it is. */
  public Kind kind() {
    return kind;
  }

  /** For the caller. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
