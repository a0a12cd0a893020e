package dev.queenmq.bench;

import java.util.List;

/** Order statistics of short series. */
public final class Statistics {
  private Statistics() {}

  /** The middle one, or what is between the two in the middle. */
  public static double median(List<Double> values) {
    return quantile(values, 0.5);
  }

  /** A quantile, interpolated between the two nearest values. */
  public static double quantile(List<Double> values, double q) {
    List<Double> sorted = values.stream().sorted().toList();
    double position = q * (sorted.size() - 1);
    int below = (int) Math.floor(position);
    int above = Math.min(below + 1, sorted.size() - 1);
    return sorted.get(below) + (position - below) * (sorted.get(above) - sorted.get(below));
  }
}
