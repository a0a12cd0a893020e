package dev.queenmq.server.text;

/**
 * Makes text fit for a line of a log, of metrics or of a terminal. Text that clients choose may
 * hold line breaks, escape sequences of terminals and characters that reverse what follows: with
 * them, one line could be made to look like another.
 */
public final class OneLine {
  private static final char LINE_SEPARATOR = 0x2028;
  private static final char PARAGRAPH_SEPARATOR = 0x2029;

  private OneLine() {}

  /**
   * Whether a character of a text must not stand in a line as it is: a control character (C0, DEL,
   * C1), a line or paragraph separator, one that changes the direction of writing, or half of a
   * surrogate pair.
   */
  public static boolean isUnsafe(CharSequence text, int index) {
    char c = text.charAt(index);
    // Nearly all of it is this.
    if (c >= ' ' && c <= '~') {
      return false;
    }
    if (Character.isSurrogate(c)) {
      return Character.isHighSurrogate(c)
          ? index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1))
          : index == 0 || !Character.isHighSurrogate(text.charAt(index - 1));
    }
    return isUnsafe(c);
  }

  /** The same for a character that is no surrogate. */
  public static boolean isUnsafe(char c) {
    return Character.isISOControl(c)
        || c == LINE_SEPARATOR
        || c == PARAGRAPH_SEPARATOR
        || changesDirection(c);
  }

  /** Embeddings, overrides and isolates; the marks that letters of such scripts need are not. */
  private static boolean changesDirection(char c) {
    return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  }

  /** The text with <code>&#92;uXXXX</code> for each unsafe character; usually the text itself. */
  public static String escaped(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isUnsafe(text, i)) {
        return escapedFrom(text, i);
      }
    }
    return text;
  }

  private static String escapedFrom(String text, int first) {
    StringBuilder line = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isUnsafe(text, i)) {
        line.append(String.format("\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return line.toString();
  }
}
