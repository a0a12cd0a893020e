package dev.queenmq.bench.http;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Holds results to what was promised, in units of the row-per-message push rate. */
final class Targets {
  private final PrintWriter out;
  private final List<Result> results;
  private final double rowRate;
  private final List<String> missed = new ArrayList<>();

  Targets(PrintWriter out, List<Result> results, double rowRate) {
    this.out = out;
    this.results = results;
    this.rowRate = rowRate;
  }

  /** Prints them all; those that were missed. */
  List<String> check() {
    out.printf(
        Locale.ROOT, "%nR = %.0f messages/s, a row each (before and after, mean)%n", rowRate);
    ratio(PushMeasurement.name(100, 50), 1.5);
    ratio(PopMeasurement.name(1), 1.2);
    ratio(PushMeasurement.name(1, 50), 0.15);
    find(EndToEndMeasurement.name(HttpBench.RATE, 1))
        .ifPresent(
            result ->
                verdict(
                    result.title() + ", p99",
                    String.format(Locale.ROOT, "%.2f ms", result.millis(99)),
                    "<= 25 ms",
                    result.messages() > 0 && result.millis(99) <= 25));
    out.flush();
    return missed;
  }

  private void ratio(String title, double target) {
    find(title)
        .ifPresent(
            result ->
                verdict(
                    title,
                    String.format(Locale.ROOT, "%.2f R", result.rate() / rowRate),
                    String.format(Locale.ROOT, ">= %.2f R", target),
                    result.rate() >= target * rowRate));
  }

  private Optional<Result> find(String title) {
    return results.stream().filter(result -> result.title().equals(title)).findFirst();
  }

  private void verdict(String what, String value, String target, boolean passed) {
    out.printf("  %-4s %s: %s, target %s%n", passed ? "PASS" : "FAIL", what, value, target);
    if (!passed) {
      missed.add(what);
    }
  }
}
