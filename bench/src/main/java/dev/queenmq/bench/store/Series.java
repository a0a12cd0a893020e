package dev.queenmq.bench.store;

import dev.queenmq.bench.Report;
import dev.queenmq.bench.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What one contender did.
 *
 * @param rates messages per second, round by round
 * @param latencies of single pieces of work, in microseconds
 */
record Series(String name, List<Double> rates, Histogram latencies) {

  double medianRate() {
    return Statistics.median(rates);
  }

  double medianMillis() {
    return latencies.getValueAtPercentile(50) / 1000.0;
  }

  double tailMillis() {
    return latencies.getValueAtPercentile(99) / 1000.0;
  }

  static void print(Report report, List<Series> all) {
    report.line("  %-34s %14s %10s %10s", "", "messages/s", "p50 ms", "p99 ms");
    for (Series series : all) {
      report.line(
          "  %-34s %14.0f %10.2f %10.2f",
          series.name(), series.medianRate(), series.medianMillis(), series.tailMillis());
    }
  }

  /** Checks that this is at least this many times the other. */
  void atLeast(Report report, double target, Series other) {
    List<Double> perRound = new ArrayList<>();
    for (int i = 0; i < rates.size(); i++) {
      perRound.add(rates.get(i) / other.rates.get(i));
    }
    double ratio = medianRate() / other.medianRate();
    report.check(
        name + " / " + other.name,
        String.format(
            Locale.ROOT,
            "%.2f  (quartiles %.2f .. %.2f)",
            ratio,
            Statistics.quantile(perRound, 0.25),
            Statistics.quantile(perRound, 0.75)),
        String.format(Locale.ROOT, ">= %.2f", target),
        ratio >= target);
  }
}
