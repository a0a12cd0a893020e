package dev.queenmq.server.http.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Checks whether bytes are UTF-8. */
final class Utf8 {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long NOT_ASCII = 0x8080808080808080L;

  private Utf8() {}

  static boolean isValid(byte[] bytes, int length) {
    int i = 0;
    while (i < length) {
      if (i + Long.BYTES <= length && ((long) LONGS.get(bytes, i) & NOT_ASCII) == 0) {
        i += Long.BYTES;
      } else if (bytes[i] >= 0) {
        i++;
      } else {
        int size = sequence(bytes, i, length);
        if (size == 0) {
          return false;
        }
        i += size;
      }
    }
    return true;
  }

  /** The length of the character that starts here; 0 if it is none. */
  private static int sequence(byte[] bytes, int start, int length) {
    int first = bytes[start] & 0xff;
    int size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || start + size > length) {
      return 0;
    }
    for (int i = 1; i < size; i++) {
      if ((bytes[start + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    // Not the shortest form, a surrogate, or past the last character.
    int second = bytes[start + 1] & 0xff;
    boolean bad =
        switch (first) {
          case 0xe0 -> second < 0xa0;
          case 0xed -> second > 0x9f;
          case 0xf0 -> second < 0x90;
          case 0xf4 -> second > 0x8f;
          default -> false;
        };
    return bad ? 0 : size;
  }
}
