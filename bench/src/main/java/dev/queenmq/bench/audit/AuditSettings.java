package dev.queenmq.bench.audit;

import java.time.Duration;

/**
 * How an audit is run.
 *
 * @param duration how long messages are pushed at least
 * @param messages how many are pushed at least, however long that takes
 * @param consumers of each group
 * @param groups of the ordinary kind; through HTTP the first of them has no name
 * @param seed of all random choices; timing still differs
 * @param behaviour how clients behave
 */
public record AuditSettings(
    Duration duration,
    long messages,
    int producers,
    int consumers,
    int partitions,
    int groups,
    int leaseSeconds,
    long seed,
    ClientBehaviour behaviour) {

  /** All groups: the last of them may be one that copies. */
  int allGroups() {
    return groups + (behaviour.copying() ? 1 : 0);
  }

  Duration lease() {
    return Duration.ofSeconds(leaseSeconds);
  }
}
