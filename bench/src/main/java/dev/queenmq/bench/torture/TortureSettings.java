package dev.queenmq.bench.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a torture is run.
 *
 * @param length how long faults are begun
 * @param faults how many are injected at most
 * @param seed of the order of faults and of how long each lasts
 * @param only these faults; empty: all
 * @param settle how long after a fault was healed the rate is measured
 * @param rate messages a second; 0: half of what is measured first
 * @param round how long until the load is drained, checked and started again
 * @param politeRatio the p99 of polite clients may be this many times the quiet one while hostile
 *     clients attack their broker; 0: any
 * @param history where to write what happened
 */
public record TortureSettings(
    Path jar,
    int brokers,
    Duration length,
    int faults,
    long seed,
    List<String> only,
    Duration settle,
    double rate,
    int producers,
    int consumers,
    int lanes,
    int leaseSeconds,
    Duration round,
    double politeRatio,
    Map<String, String> brokerSettings,
    Optional<Path> history) {

  /** How long a rate is measured. */
  Duration window() {
    long millis = Math.max(1000, Math.min(10_000, settle.toMillis() / 2));
    return Duration.ofMillis(millis);
  }
}
