package dev.queenmq.server.http;

import java.util.Optional;

/** What texts of clients must be like; PostgreSQL holds any character but NUL. */
final class Texts {
  static final int MAX_NAME = 255;
  private static final char REPLACEMENT = '\ufffd';

  private Texts() {}

  /** A name: 1 to 255 characters, counted as PostgreSQL does, by code point. */
  static String name(String what, String value) {
    if (value.isEmpty()) {
      throw HttpProblem.badRequest(what + " must not be empty");
    }
    return label(what, value);
  }

  /** The same, but it may be empty. */
  static String label(String what, String value) {
    if (value.length() > MAX_NAME && value.codePointCount(0, value.length()) > MAX_NAME) {
      throw HttpProblem.badRequest(what + " is longer than " + MAX_NAME + " characters");
    }
    return storable(what, value);
  }

  /** A text of any length. */
  static String storable(String what, String value) {
    problem(value)
        .ifPresent(
            problem -> {
              throw HttpProblem.badRequest(what + " contains " + problem);
            });
    return value;
  }

  /** The text with what cannot be stored or sent replaced. */
  static String whole(String value) {
    if (problem(value).isEmpty()) {
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

  /** At most so many characters of the text, for a message. */
  static String shortened(String value, int most) {
    return value.length() <= most ? value : value.substring(0, most) + "...";
  }

  private static Optional<String> problem(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == 0) {
        return Optional.of("the character NUL");
      }
      if (Character.isSurrogate(c)) {
        if (Character.isLowSurrogate(c)
            || i + 1 == value.length()
            || !Character.isLowSurrogate(value.charAt(i + 1))) {
          return Optional.of("half a surrogate pair");
        }
        i++;
      }
    }
    return Optional.empty();
  }
}
