package dev.queenmq.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Columns for people. Numbers are aligned to the right and have separators. */
public final class Table {
  private static final String GAP = "   ";
  private static final Pattern UNPRINTABLE =
      Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]");

  private final List<String> headers;
  private final List<List<String>> rows = new ArrayList<>();
  private final boolean[] numeric;

  /** A table with these columns. */
  public Table(String... headers) {
    this.headers = List.of(headers);
    this.numeric = new boolean[headers.length];
    Arrays.fill(numeric, true);
  }

  /** Adds a row; null is an empty cell. */
  public Table row(@Nullable Object... cells) {
    List<String> row = new ArrayList<>();
    for (int i = 0; i < headers.size(); i++) {
      @Nullable Object cell = i < cells.length ? cells[i] : null;
      numeric[i] &= cell == null || cell instanceof Number;
      row.add(text(cell));
    }
    rows.add(row);
    return this;
  }

  private static String text(@Nullable Object cell) {
    if (cell == null) {
      return "";
    }
    if (cell instanceof Long number) {
      return String.format(Locale.ROOT, "%,d", number);
    }
    if (cell instanceof Integer number) {
      return String.format(Locale.ROOT, "%,d", number);
    }
    if (cell instanceof Double number) {
      return String.format(Locale.ROOT, "%,.1f", number);
    }
    return printable(cell.toString());
  }

  /**
   * A text that others chose, for a terminal: without characters that move its cursor, start its
   * commands or turn the direction of what follows.
   */
  public static String printable(String text) {
    return UNPRINTABLE.matcher(text).replaceAll("?");
  }

  /**
   * Writes it, or a line if there are no rows.
   *
   * @param width characters of a line, which is cut there; 0 for any
   */
  public void print(PrintWriter out, int width, String ifEmpty) {
    if (rows.isEmpty()) {
      out.println(ifEmpty);
      return;
    }
    int[] widths = new int[headers.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = headers.get(i).length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    out.println(line(headers, widths, width));
    rows.forEach(row -> out.println(line(row, widths, width)));
  }

  private String line(List<String> cells, int[] widths, int width) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : GAP);
      line.append(numeric[i] ? padding + cells.get(i) : cells.get(i) + padding);
    }
    String text = line.toString().stripTrailing();
    return text.length() > width && width > GAP.length()
        ? text.substring(0, width - GAP.length()) + "..."
        : text;
  }
}
