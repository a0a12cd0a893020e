package dev.queenmq.server.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Long texts as UTF-8, a piece at a time. The JVM encodes a whole array of characters many times
 * faster than a loop over {@code charAt} does, above all before that loop is compiled, and a
 * megabyte of payload in such a loop holds up everything else on its event loop. Pieces keep what
 * is held for it small.
 */
public final class Utf8Pieces {
  /** From here on it pays. */
  public static final int LONG = 16 << 10;

  private static final int PIECE = 64 << 10;

  private Utf8Pieces() {}

  /** Takes the bytes of a piece. */
  @FunctionalInterface
  public interface Sink {
    /** The next piece; the array is not used again. */
    void accept(byte[] piece) throws IOException;
  }

  /** Hands over the whole text, in order. */
  public static void encode(String text, Sink sink) throws IOException {
    int start = 0;
    while (start < text.length()) {
      int end = end(text, start);
      sink.accept(text.substring(start, end).getBytes(StandardCharsets.UTF_8));
      start = end;
    }
  }

  /** How many bytes the whole text has. */
  public static int length(String text) {
    int bytes = 0;
    int start = 0;
    while (start < text.length()) {
      int end = end(text, start);
      bytes += text.substring(start, end).getBytes(StandardCharsets.UTF_8).length;
      start = end;
    }
    return bytes;
  }

  /** Never between the halves of a character. */
  private static int end(String text, int start) {
    int end = Math.min(text.length(), start + PIECE);
    return end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
  }
}
