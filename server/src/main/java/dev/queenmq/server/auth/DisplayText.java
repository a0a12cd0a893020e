package dev.queenmq.server.auth;

/** What strangers sent, made fit to be repeated. */
final class DisplayText {
  private static final int LONGEST = 64;

  private DisplayText() {}

  /** Not more than a glance. */
  static String shortened(String text) {
    return quoted(text, LONGEST, false);
  }

  /** In quotes, on one line, in plain ASCII: what reads like a line of its own stays inside. */
  static String quoted(String text, int longest) {
    return quoted(text, longest, true);
  }

  private static String quoted(String text, int longest, boolean quotes) {
    StringBuilder shown = new StringBuilder(Math.min(text.length(), longest) + 8);
    if (quotes) {
      shown.append('"');
    }
    int end = Math.min(text.length(), longest);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (quotes && (c == '"' || c == '\\')) {
        shown.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        shown.append(String.format("\\u%04x", (int) c));
      } else {
        shown.append(c);
      }
    }
    if (end < text.length()) {
      shown.append("...");
    }
    if (quotes) {
      shown.append('"');
    }
    return shown.toString();
  }
}
