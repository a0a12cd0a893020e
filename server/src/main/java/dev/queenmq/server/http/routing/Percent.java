package dev.queenmq.server.http.routing;

import dev.queenmq.server.http.json.HexDigits;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Percent-encoded UTF-8. Each character that is not encoded is a byte, as the server got it. */
final class Percent {

  private Percent() {}

  /** The text, or null if it is malformed. */
  static @Nullable String decodePath(String text) {
    return decode(text, false);
  }

  /** The same where a plus is a space. */
  static @Nullable String decodeQuery(String text) {
    return decode(text, true);
  }

  private static @Nullable String decode(String text, boolean plusIsSpace) {
    if (isPlain(text, plusIsSpace)) {
      return text;
    }
    ByteBuffer bytes = ByteBuffer.allocate(text.length());
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '%') {
        int value = i + 2 < text.length() ? HexDigits.pair(text, i + 1) : -1;
        if (value < 0) {
          return null;
        }
        bytes.put((byte) value);
        i += 3;
      } else if (c > 0xff) {
        return null;
      } else {
        bytes.put((byte) (plusIsSpace && c == '+' ? ' ' : c));
        i++;
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static boolean isPlain(String text, boolean plusIsSpace) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%' || c > 0x7f || (plusIsSpace && c == '+')) {
        return false;
      }
    }
    return true;
  }
}
