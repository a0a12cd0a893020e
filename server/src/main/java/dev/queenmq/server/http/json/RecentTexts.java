package dev.queenmq.server.http.json;

import org.jspecify.annotations.Nullable;

/** Texts of a body that may come again. One of them is given again instead of being made again. */
final class RecentTexts {
  private static final int KEPT = 16;

  private String last = "";
  private @Nullable String @Nullable [] kept;

  /** The text of these letters. */
  String of(char[] letters, int start, int length) {
    if (isEqual(last, letters, start, length)) {
      return last;
    }
    if (last.isEmpty()) {
      // Most lists name one thing only.
      last = new String(letters, start, length);
      return last;
    }
    if (kept == null) {
      kept = new String[KEPT];
    }
    int place = place(letters, start, length);
    @Nullable String known = kept[place];
    last =
        known != null && isEqual(known, letters, start, length)
            ? known
            : new String(letters, start, length);
    kept[place] = last;
    return last;
  }

  /** Names mostly differ at their ends. */
  private static int place(char[] letters, int start, int length) {
    int hash = length;
    for (int i = Math.max(0, length - 4); i < length; i++) {
      hash = 31 * hash + letters[start + i];
    }
    return hash & (KEPT - 1);
  }

  static boolean isEqual(String text, char[] letters, int start, int length) {
    if (text.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) != letters[start + i]) {
        return false;
      }
    }
    return true;
  }
}
