package dev.queenmq.server.http.json;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads UUIDs in their one usual form; that of the JDK takes many more texts for one. */
public final class UuidText {
  private static final int LENGTH = 36;

  private UuidText() {}

  /** The UUID, or null if the text is none. */
  public static @Nullable UUID parse(String text) {
    if (text.length() != LENGTH) {
      return null;
    }
    long high = 0;
    long low = 0;
    for (int i = 0; i < LENGTH; i++) {
      char c = text.charAt(i);
      if (i == 8 || i == 13 || i == 18 || i == 23) {
        if (c != '-') {
          return null;
        }
        continue;
      }
      int digit = HexDigits.digit(c);
      if (digit < 0) {
        return null;
      }
      if (i < 18) {
        high = high << 4 | digit;
      } else {
        low = low << 4 | digit;
      }
    }
    return new UUID(high, low);
  }
}
