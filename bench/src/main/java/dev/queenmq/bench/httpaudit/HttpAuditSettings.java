package dev.queenmq.bench.httpaudit;

import java.time.Duration;

/**
 * How an audit is run.
 *
 * @param duration how long messages are pushed at least
 * @param messages they are pushed until there are so many, however long that takes
 * @param consumers of each group
 * @param groups beside those who consume without a group
 * @param seed of all random choices; timing still differs
 * @param manners how clients behave
 */
public record HttpAuditSettings(
    Duration duration,
    long messages,
    int producers,
    int consumers,
    int partitions,
    int groups,
    int leaseSeconds,
    long seed,
    Manners manners) {

  /** With clients that never rest and misbehave as often as they can. */
  public HttpAuditSettings(
      Duration duration,
      long messages,
      int producers,
      int consumers,
      int partitions,
      int groups,
      int leaseSeconds,
      long seed) {
    this(
        duration,
        messages,
        producers,
        consumers,
        partitions,
        groups,
        leaseSeconds,
        seed,
        Manners.restless());
  }

  /** All groups: those with a name, the one without, and the one that copies. */
  int allGroups() {
    return groups + (manners.copying() ? 2 : 1);
  }

  Duration lease() {
    return Duration.ofSeconds(leaseSeconds);
  }
}
