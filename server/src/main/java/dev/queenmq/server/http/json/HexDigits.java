package dev.queenmq.server.http.json;

/** Hexadecimal digits of ASCII. */
public final class HexDigits {

  private HexDigits() {}

  /** The value of a digit, or -1 if it is none. */
  static int digit(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    int lower = c | 0x20;
    return lower >= 'a' && lower <= 'f' && c < 0x80 ? lower - 'a' + 10 : -1;
  }

  /** The value of two digits, or a negative one if they are none. */
  public static int pair(String text, int start) {
    return digit(text.charAt(start)) << 4 | digit(text.charAt(start + 1));
  }
}
