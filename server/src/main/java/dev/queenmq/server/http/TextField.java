package dev.queenmq.server.http;

/**
 * A field of a body that should be a text.
 *
 * @param value empty unless it is one
 */
record TextField(Kind kind, String value) {
  static final TextField ABSENT = new TextField(Kind.ABSENT, "");
  static final TextField NULL = new TextField(Kind.NULL, "");
  static final TextField OTHER = new TextField(Kind.OTHER, "");

  /** What was found in its place. */
  enum Kind {
    ABSENT,
    NULL,
    TEXT,
    OTHER
  }

  static TextField of(String value) {
    return new TextField(Kind.TEXT, value);
  }

  /** Null is as good as absent. */
  boolean isAbsent() {
    return kind == Kind.ABSENT || kind == Kind.NULL;
  }

  boolean isText() {
    return kind == Kind.TEXT;
  }

  /** Absent, null and empty mean the same where a text may be left out. */
  String orElse(String what, String fallback) {
    if (kind == Kind.OTHER) {
      throw HttpProblem.badRequest(what + " must be a string");
    }
    return value.isEmpty() ? fallback : value;
  }
}
