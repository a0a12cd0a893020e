package dev.queenmq.server.text;

import java.nio.charset.StandardCharsets;

/**
 * Long texts as UTF-8, a piece at a time. The JVM encodes a whole array of characters many times
 * faster than a loop over {@code charAt} does, above all before that loop is compiled, and a
 * megabyte of payload in such a loop holds up everything else on its event loop. Pieces keep what
 * is held for it small.
 */
public final class Utf8Pieces {
  /** The length in characters from which cutting into pieces pays. */
  public static final int LONG = 16 << 10;

  private static final int PIECE = 64 << 10;

  private Utf8Pieces() {}

  /**
   * Takes the bytes of a piece.
   *
   * @param <E> what it may throw
   */
  @FunctionalInterface
  public interface Sink<E extends Exception> {
    /** The next piece; the array is not used again. */
    void accept(byte[] piece) throws E;
  }

  /** Hands over the whole text, in order. */
  public static <E extends Exception> void encode(String text, Sink<E> sink) throws E {
    int start = 0;
    while (start < text.length()) {
      int end = end(text, start);
      sink.accept(text.substring(start, end).getBytes(StandardCharsets.UTF_8));
      start = end;
    }
  }

  /** How many bytes the whole text has; half a character, which has none, may count for one. */
  public static int length(String text) {
    if (text.length() < LONG) {
      return shortLength(text);
    }
    int bytes = 0;
    int start = 0;
    while (start < text.length()) {
      int end = end(text, start);
      bytes += text.substring(start, end).getBytes(StandardCharsets.UTF_8).length;
      start = end;
    }
    return bytes;
  }

  private static int shortLength(String text) {
    int bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // Half of a character beyond the basic plane counts for two of its four bytes.
      bytes += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
    }
    return bytes;
  }

  /** Never between the halves of a character. */
  private static int end(String text, int start) {
    int end = Math.min(text.length(), start + PIECE);
    return end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
  }
}
