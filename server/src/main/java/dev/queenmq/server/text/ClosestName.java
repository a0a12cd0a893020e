package dev.queenmq.server.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that a misspelt one probably means. */
public final class ClosestName {

  private static final int MOST_EDITS = 2;

  private ClosestName() {}

  /**
   * The known name closest to an unknown one. A name that differs only in case wins. Otherwise at
   * most two edits may lie between the two (insert, delete, replace or swap neighbours), and fewer
   * than half the letters of the shorter name: {@code to} is no misspelt {@code at}.
   *
   * @param known in the order in which equally close names are preferred
   * @return empty when no name is close, and when the name is itself a known one
   */
  public static Optional<String> of(String unknown, Collection<String> known) {
    if (known.contains(unknown)) {
      return Optional.empty();
    }
    String wanted = unknown.toLowerCase(Locale.ROOT);
    Optional<String> best = Optional.empty();
    int fewest = MOST_EDITS + 1;
    for (String name : known) {
      int edits = edits(wanted, name.toLowerCase(Locale.ROOT));
      if (edits < fewest && 2 * edits < Math.min(unknown.length(), name.length())) {
        fewest = edits;
        best = Optional.of(name);
      }
    }
    return best;
  }

  /** The distance of Damerau and Levenshtein, where no letter is edited twice. */
  private static int edits(String from, String to) {
    if (Math.abs(from.length() - to.length()) > MOST_EDITS) {
      return MOST_EDITS + 1;
    }
    int[] beforeLast = new int[to.length() + 1];
    int[] last = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[to.length() + 1];
      row[0] = i;
      int fewest = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(last[j], row[j - 1]) + 1);
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
        fewest = Math.min(fewest, row[j]);
      }
      // It grows by one a row at most, so that a swap cannot lead back below it either.
      if (fewest > MOST_EDITS) {
        return fewest;
      }
      beforeLast = last;
      last = row;
    }
    return last[to.length()];
  }
}
