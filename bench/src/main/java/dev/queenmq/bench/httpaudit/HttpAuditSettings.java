package dev.queenmq.bench.httpaudit;

import java.time.Duration;

/**
 * How an audit is run.
 *
 * @param duration how long messages are pushed
 * @param consumers of each group
 * @param groups beside those who consume without a group
 * @param seed of all random choices; timing still differs
 */
public record HttpAuditSettings(
    Duration duration,
    int producers,
    int consumers,
    int partitions,
    int groups,
    int leaseSeconds,
    long seed) {

  Duration lease() {
    return Duration.ofSeconds(leaseSeconds);
  }
}
