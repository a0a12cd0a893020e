package dev.queenmq.server.metrics;

import dev.queenmq.server.broker.SidecarFigures.Distribution;
import dev.queenmq.server.text.OneLine;
import java.math.BigDecimal;
import java.util.List;

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

  /** A sample with any number of labels, each a name and a value. */
  PrometheusText sample(Number value, List<String> labels) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i + 1 < labels.size(); i += 2) {
      all.append(i == 0 ? "" : ",").append(label(labels.get(i), labels.get(i + 1)));
    }
    return line("", all.toString(), value);
  }

  /** The samples of the only histogram of a family. */
  PrometheusText distribution(Distribution values, double unit) {
    return distribution("", values, unit);
  }

  /**
   * The samples of a histogram.
   *
   * @param unit by which bounds and sum are divided
   */
  PrometheusText distribution(String label, String of, Distribution values, double unit) {
    return distribution(label(label, of), values, unit);
  }

  private PrometheusText distribution(String labels, Distribution values, double unit) {
    String before = labels.isEmpty() ? "" : labels + ",";
    int bounds = values.bounds().size();
    for (int i = 0; i < bounds; i++) {
      String bound = number(values.bounds().get(i) / unit);
      line("_bucket", before + label("le", bound), values.counts().get(i));
    }
    line("_bucket", before + label("le", "+Inf"), values.counts().get(bounds));
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

  /** The format knows three escapes; what else must not stand in a line is spelled out. */
  private static String label(String name, String value) {
    return name
        + "=\""
        + OneLine.escaped(value).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
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
