package dev.queenmq.server.auth;

/** Makes text of unauthenticated clients safe to repeat in logs and answers. */
final class DisplayText {
  private static final int LONGEST = 64;

  private DisplayText() {}

  /** The first characters of a text, on one line and in plain ASCII. */
  static String shortened(String text) {
    int end = Math.min(text.length(), LONGEST);
    StringBuilder shown = new StringBuilder(end + 8);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        shown.append(String.format("\\u%04x", (int) c));
      } else {
        shown.append(c);
      }
    }
    if (end < text.length()) {
      shown.append("...");
    }
    return shown.toString();
  }
}
