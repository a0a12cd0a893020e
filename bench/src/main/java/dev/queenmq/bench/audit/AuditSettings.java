package dev.queenmq.bench.audit;

import java.time.Duration;

/**
 * How large an audit is.
 *
 * @param duration how long producers push at least; draining comes on top
 * @param messages they push until there are so many, however long that takes
 * @param groups consumer groups of the ordinary kind; one that works in transactions and one with
 *     autoAck come on top
 * @param kills how often PostgreSQL is killed meanwhile
 */
public record AuditSettings(
    Duration duration,
    long messages,
    int producers,
    int consumers,
    int partitions,
    int groups,
    long seed,
    int kills) {}
