package dev.queenmq.bench.store;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints figures and holds ratios to their targets. */
final class Report {
  private final PrintWriter out;
  private final List<String> missed = new ArrayList<>();

  Report(PrintWriter out) {
    this.out = out;
  }

  void heading(String text) {
    line("%n%s", text);
  }

  void line(String format, Object... arguments) {
    out.printf(Locale.ROOT, format + "%n", arguments);
    out.flush();
  }

  void series(List<Series> all) {
    line("  %-34s %14s %10s %10s", "", "messages/s", "p50 ms", "p99 ms");
    for (Series series : all) {
      line(
          "  %-34s %14.0f %10.2f %10.2f",
          series.name(), series.medianRate(), series.medianMillis(), series.tailMillis());
    }
  }

  /** Ours must be so many times theirs. */
  void atLeast(double target, Series ours, Series theirs) {
    List<Double> perRound = new ArrayList<>();
    for (int i = 0; i < ours.rates().size(); i++) {
      perRound.add(ours.rates().get(i) / theirs.rates().get(i));
    }
    double ratio = ours.medianRate() / theirs.medianRate();
    verdict(
        String.format("%s / %s", ours.name(), theirs.name()),
        String.format(
            Locale.ROOT,
            "%.2f  (quartiles %.2f .. %.2f)",
            ratio,
            Statistics.quantile(perRound, 0.25),
            Statistics.quantile(perRound, 0.75)),
        String.format(Locale.ROOT, ">= %.2f", target),
        ratio >= target);
  }

  /** This cost may be so many times that one at most. */
  void atMost(double target, String what, double ratio) {
    verdict(
        what,
        String.format(Locale.ROOT, "%.2f", ratio),
        String.format(Locale.ROOT, "<= %.2f", target),
        ratio <= target);
  }

  private void verdict(String what, String ratio, String target, boolean passed) {
    line("  %-4s %s: %s, target %s", passed ? "PASS" : "FAIL", what, ratio, target);
    if (!passed) {
      missed.add(what);
    }
  }

  void missed(String what) {
    missed.add(what);
  }

  /** The targets that were missed. */
  List<String> missed() {
    return missed;
  }
}
