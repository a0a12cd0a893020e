package dev.queenmq.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints figures and holds them to their targets. */
public final class Report {
  private final PrintWriter out;
  private final List<String> missed = new ArrayList<>();

  /** Nothing is printed yet. */
  public Report(PrintWriter out) {
    this.out = out;
  }

  /** Prints a line behind an empty one. */
  public void heading(String text) {
    line("%n%s", text);
  }

  /** Prints a line. */
  public void line(String format, Object... arguments) {
    out.printf(Locale.ROOT, format + "%n", arguments);
    out.flush();
  }

  /** Says whether a target is met. */
  public void check(String what, String value, String target, boolean passed) {
    line("  %-4s %s: %s, target %s", passed ? "PASS" : "FAIL", what, value, target);
    miss(!passed, what);
  }

  /** Notes what was missed, if it was. */
  public void miss(boolean isMissed, String what) {
    if (isMissed) {
      missed.add(what);
    }
  }

  /** The targets that were missed. */
  public List<String> missed() {
    return missed;
  }
}
