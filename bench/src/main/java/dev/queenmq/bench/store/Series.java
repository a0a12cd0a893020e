package dev.queenmq.bench.store;

import java.util.List;
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
}
