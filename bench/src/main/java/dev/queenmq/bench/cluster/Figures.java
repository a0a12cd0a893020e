package dev.queenmq.bench.cluster;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** What was measured of one cluster, by name. For one thread. */
final class Figures {
  private static final double NANOS_PER_MILLI = 1e6;

  private final String title;
  private final Map<String, Double> values = new LinkedHashMap<>();

  Figures(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** A count. */
  void add(String name, long value) {
    add(name, (double) value);
  }

  void add(String name, double value) {
    values.put(name, value);
  }

  /** Milliseconds of a histogram of nanoseconds. */
  void add(String name, Histogram histogram) {
    add(name + ", p50, ms", histogram.getValueAtPercentile(50) / NANOS_PER_MILLI);
    add(name + ", p99, ms", histogram.getValueAtPercentile(99) / NANOS_PER_MILLI);
    add(name + ", most, ms", histogram.getMaxValue() / NANOS_PER_MILLI);
  }

  /** All side by side; with two, also how the second relates to the first. */
  static void print(PrintWriter out, List<Figures> all) {
    Set<String> names = new LinkedHashSet<>();
    all.forEach(figures -> names.addAll(figures.values.keySet()));
    out.printf("%-60s", "");
    all.forEach(figures -> out.printf(" %18s", figures.title));
    out.println(all.size() == 2 ? "    ratio" : "");
    for (String name : names) {
      out.printf("%-60s", name);
      for (Figures figures : all) {
        Double value = figures.values.get(name);
        out.print(
            value == null
                ? String.format("%19s", "-")
                : String.format(Locale.ROOT, " %18.3f", value));
      }
      if (all.size() == 2) {
        double first = all.get(0).values.getOrDefault(name, 0.0);
        double second = all.get(1).values.getOrDefault(name, 0.0);
        if (first > 0 && second > 0) {
          out.printf(Locale.ROOT, " %8.2f", second / first);
        }
      }
      out.println();
    }
  }
}
