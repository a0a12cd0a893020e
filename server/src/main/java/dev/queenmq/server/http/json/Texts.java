package dev.queenmq.server.http.json;

import dev.queenmq.server.text.OneLine;
import dev.queenmq.server.text.ReservedNames;
import org.jspecify.annotations.Nullable;

/** Rules for text that clients send. PostgreSQL stores any character but NUL. */
public final class Texts {
  static final int MAX_NAME = 255;

  /** Longest error of a dead letter that is kept, counted by code point. */
  public static final int MAX_ERROR = 2_000;

  private static final char REPLACEMENT = '\ufffd';

  private Texts() {}

  /**
   * The name of a queue, partition, group, stream or trace: an id without control characters, line
   * separators and changes of the direction of writing, which would make lines of logs and metrics
   * look like others, and not only blanks, which no one can see.
   */
  public static String name(String what, String value) {
    return visible(what, id(what, value));
  }

  /** The name that a client gives a queue: not one that the broker gives itself. */
  public static String queue(String what, String value) {
    if (ReservedNames.isReservedQueue(value)) {
      throw HttpProblem.badRequest(what + " must not begin with " + ReservedNames.DELETED_QUEUE);
    }
    return name(what, value);
  }

  /** A namespace or a task: the same, but it may be empty. */
  public static String label(String what, String value) {
    return value.isEmpty() ? value : name(what, value);
  }

  /**
   * The name of what may exist since before names had to be visible: operators must still be able
   * to look at it and to delete it.
   */
  public static String existing(String what, String value) {
    return id(what, value);
  }

  /** An id: 1 to 255 characters, counted as PostgreSQL does, by code point. */
  public static String id(String what, String value) {
    if (value.isEmpty()) {
      throw HttpProblem.badRequest(what + " must not be empty");
    }
    return atMost255(what, value);
  }

  /** The same, but it may be empty. */
  public static String atMost255(String what, String value) {
    if (value.length() > MAX_NAME && value.codePointCount(0, value.length()) > MAX_NAME) {
      throw HttpProblem.badRequest(what + " is longer than " + MAX_NAME + " characters");
    }
    return storable(what, value);
  }

  private static String visible(String what, String value) {
    boolean blank = true;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (OneLine.isUnsafe(value, i)) {
        throw HttpProblem.badRequest(what + " contains a control character");
      }
      blank = blank && (Character.isWhitespace(c) || Character.isSpaceChar(c));
    }
    if (blank) {
      throw HttpProblem.badRequest(what + " must not be blank");
    }
    return value;
  }

  /** A text of any length. */
  public static String storable(String what, String value) {
    @Nullable String problem = problem(value);
    if (problem != null) {
      throw HttpProblem.badRequest(what + " contains " + problem);
    }
    return value;
  }

  /** The text with what cannot be stored or sent replaced. */
  public static String whole(String value) {
    if (problem(value) == null) {
      return value;
    }
    StringBuilder clean = new StringBuilder(value.length());
    value
        .codePoints()
        .map(
            c ->
                c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                    ? REPLACEMENT
                    : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  /**
   * The error of a dead letter as it is kept: its first {@value #MAX_ERROR} characters. Operators'
   * pages show many errors at a time, so that long ones would take all memory. They are cut and not
   * rejected, because the ack must count whatever the consumer says of its reason.
   */
  public static String error(String value) {
    boolean tooLong =
        value.length() > MAX_ERROR && value.codePointCount(0, value.length()) > MAX_ERROR;
    return whole(tooLong ? value.substring(0, value.offsetByCodePoints(0, MAX_ERROR)) : value);
  }

  /** The text as it may stand in the line of a message. */
  static String oneLine(String value) {
    StringBuilder line = new StringBuilder(whole(value));
    for (int i = 0; i < line.length(); i++) {
      if (OneLine.isUnsafe(line, i)) {
        line.setCharAt(i, REPLACEMENT);
      }
    }
    return line.toString();
  }

  /** The first characters of the text, for a message. */
  public static String shortened(String value, int most) {
    return value.length() <= most ? value : value.substring(0, most) + "...";
  }

  private static @Nullable String problem(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == 0) {
        return "the character NUL";
      }
      if (Character.isSurrogate(c)) {
        if (Character.isLowSurrogate(c)
            || i + 1 == value.length()
            || !Character.isLowSurrogate(value.charAt(i + 1))) {
          return "half a surrogate pair";
        }
        i++;
      }
    }
    return null;
  }
}
