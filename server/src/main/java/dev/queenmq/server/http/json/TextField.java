package dev.queenmq.server.http.json;

/**
 * A field of a body that should be a text.
 *
 * @param value empty unless it is one
 */
public record TextField(Kind kind, String value) {
  public static final TextField ABSENT = new TextField(Kind.ABSENT, "");
  static final TextField NULL = new TextField(Kind.NULL, "");
  static final TextField OTHER = new TextField(Kind.OTHER, "");

  /** What was found in its place. */
  public enum Kind {
    ABSENT,
    NULL,
    TEXT,
    OTHER
  }

  static TextField of(String value) {
    return new TextField(Kind.TEXT, value);
  }

  /** Null is as good as absent. */
  public boolean isAbsent() {
    return kind == Kind.ABSENT || kind == Kind.NULL;
  }

  public boolean isText() {
    return kind == Kind.TEXT;
  }

  /** Absent, null and empty mean the same where a text may be left out. */
  public String orElse(String what, String fallback) {
    if (kind == Kind.OTHER) {
      throw HttpProblem.badRequest(what + " must be a string");
    }
    return value.isEmpty() ? fallback : value;
  }
}
