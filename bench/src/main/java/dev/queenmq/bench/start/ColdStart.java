package dev.queenmq.bench.start;

import dev.queenmq.bench.http.Result;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * A start of a broker, and how fast it was at first.
 *
 * @param seconds from the start of the process to the first answer
 * @param result of the whole time under load
 * @param first latencies of the first part of that time, in microseconds
 */
record ColdStart(double seconds, Result result, Histogram first) {
  static final String HEADING =
      String.format(
          Locale.ROOT,
          "%9s %9s %9s %9s %12s %12s %9s",
          "start s",
          "p50 ms",
          "p99 ms",
          "max ms",
          "first p50",
          "first p99",
          "share");

  private static final double MICROS = 1000;

  double firstMillis(double percentile) {
    return first.getValueAtPercentile(percentile) / MICROS;
  }

  /** The part of the slowest hundredth of all messages that arrived in the first part. */
  double share() {
    Histogram all = result.latencies();
    long slow = all.getValueAtPercentile(99);
    double count = all.getCountBetweenValues(slow, all.getMaxValue());
    return first.getTotalCount() == 0 || first.getMaxValue() < slow
        ? 0
        : first.getCountBetweenValues(slow, first.getMaxValue()) / count;
  }

  /** One line for programs. */
  String json(String jar, String folder) {
    return new JsonObject()
        .put("jar", jar)
        .put("folder", folder)
        .put("start_seconds", rounded(seconds))
        .put("first_p50_ms", rounded(firstMillis(50)))
        .put("first_p99_ms", rounded(firstMillis(99)))
        .put("share_of_slowest_in_first", rounded(share()))
        .mergeIn(new JsonObject(result.json()))
        .encode();
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
