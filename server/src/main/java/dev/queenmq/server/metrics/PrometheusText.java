package dev.queenmq.server.metrics;

import dev.queenmq.server.sidecar.SidecarFigures.Distribution;
import java.math.BigDecimal;

/** Writes the Prometheus text format, version 0.0.4. Belongs to one thread. */
final class PrometheusText {

  private final StringBuilder text = new StringBuilder(8 * 1024);
  private String family = "";

  /** Begins a family of counters; its samples follow. */
  PrometheusText counter(String name, String help) {
    return begin(name, "counter", help);
  }

  /** Begins a family of gauges; its samples follow. */
  PrometheusText gauge(String name, String help) {
    return begin(name, "gauge", help);
  }

  /** Begins a family of histograms; its distributions follow. */
  PrometheusText histogram(String name, String help) {
    return begin(name, "histogram", help);
  }

  private PrometheusText begin(String name, String type, String help) {
    family = name;
    text.append("# HELP ").append(name).append(' ').append(help.replace("\\", "\\\\")).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    return this;
  }

  /** The only sample of a family. */
  PrometheusText sample(Number value) {
    return line("", "", value);
  }

  /** A sample with a label. */
  PrometheusText sample(String label, String of, Number value) {
    return line("", label(label, of), value);
  }

  /** A sample with two labels. */
  PrometheusText sample(String label, String of, String label2, String of2, Number value) {
    return line("", label(label, of) + "," + label(label2, of2), value);
  }

  /**
   * The samples of a histogram.
   *
   * @param unit by which bounds and sum are divided
   */
  PrometheusText distribution(String label, String of, Distribution values, double unit) {
    String labels = label(label, of);
    int bounds = values.bounds().size();
    for (int i = 0; i < bounds; i++) {
      String bound = number(values.bounds().get(i) / unit);
      line("_bucket", labels + "," + label("le", bound), values.counts().get(i));
    }
    line("_bucket", labels + "," + label("le", "+Inf"), values.counts().get(bounds));
    line("_sum", labels, values.sum() / unit);
    return line("_count", labels, values.counts().get(bounds));
  }

  private PrometheusText line(String suffix, String labels, Number value) {
    text.append(family).append(suffix);
    if (!labels.isEmpty()) {
      text.append('{').append(labels).append('}');
    }
    text.append(' ').append(number(value)).append('\n');
    return this;
  }

  private static String label(String name, String value) {
    return name
        + "=\""
        + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
        + "\"";
  }

  /** Without exponents: people read this too. */
  private static String number(Number value) {
    return value instanceof Double real && !Double.isFinite(real)
        ? "NaN"
        : new BigDecimal(value.toString()).stripTrailingZeros().toPlainString();
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
