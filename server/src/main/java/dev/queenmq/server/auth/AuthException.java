package dev.queenmq.server.auth;

/**
 * Why a request is denied. The text is for the caller, and contains no part of a token or a key.
 */
public final class AuthException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of reason it is. */
  public enum Kind {
    /** There is no token. */
    MISSING,
    /** The token is not valid. */
    INVALID,
    /** The token is valid, but does not allow this. */
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

  /** The token lacks the role or the queue. */
  public static AuthException forbidden() {
    return new AuthException(Kind.FORBIDDEN, "Insufficient permissions");
  }

  /** The token lacks a queue that the caller named. */
  public static AuthException forbidden(String queue) {
    return new AuthException(
        Kind.FORBIDDEN, "Insufficient permissions for queue " + DisplayText.shortened(queue));
  }

  /** The token may not set this label or priority. */
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
