package dev.queenmq.bench.http;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What a measurement found.
 *
 * @param latencies in microseconds
 * @param cpuSeconds of broker and PostgreSQL; 0 if their processes are not known
 * @param megabytes resident at its end; 0 if not known
 */
public record Result(
    String name,
    String title,
    JsonObject parameters,
    long messages,
    double seconds,
    long errors,
    String firstError,
    Histogram latencies,
    double cpuSeconds,
    double megabytes) {
  private static final double MICROS_PER_MILLI = 1000;
  static final String HEADING =
      String.format(
          Locale.ROOT,
          "%-44s %10s %8s %8s %8s %8s %8s %10s %7s %7s",
          "",
          "messages/s",
          "p50 ms",
          "p90 ms",
          "p99 ms",
          "p99.9 ms",
          "max ms",
          "per CPU-s",
          "MB",
          "errors");

  /** Messages per second. */
  public double rate() {
    return seconds == 0 ? 0 : messages / seconds;
  }

  /** Messages per second of CPU time; 0 if that is not known. */
  public double perCpuSecond() {
    return cpuSeconds <= 0 ? 0 : messages / cpuSeconds;
  }

  /** A percentile of the latencies. */
  public double millis(double percentile) {
    return latencies.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
  }

  /** One line for programs. */
  public String json() {
    JsonObject json = new JsonObject().put("measurement", name).mergeIn(parameters);
    return json.put("messages", messages)
        .put("seconds", rounded(seconds))
        .put("messages_per_second", rounded(rate()))
        .put("p50_ms", rounded(millis(50)))
        .put("p90_ms", rounded(millis(90)))
        .put("p99_ms", rounded(millis(99)))
        .put("p999_ms", rounded(millis(99.9)))
        .put("max_ms", rounded(millis(100)))
        .put("cpu_seconds", rounded(cpuSeconds))
        .put("messages_per_cpu_second", rounded(perCpuSecond()))
        .put("rss_mb", rounded(megabytes))
        .put("errors", errors)
        .encode();
  }

  /** One line for people. */
  public String row() {
    return String.format(
        Locale.ROOT,
        "%-44s %10.0f %8.2f %8.2f %8.2f %8.2f %8.2f %10.0f %7.0f %7d",
        title,
        rate(),
        millis(50),
        millis(90),
        millis(99),
        millis(99.9),
        millis(100),
        perCpuSecond(),
        megabytes,
        errors);
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
