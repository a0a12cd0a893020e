package dev.queenmq.server.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * Which dead letters to show.
 *
 * @param from those that failed at this moment or later
 * @param until those that failed before this moment
 */
public record DeadLetterFilter(
    Optional<String> queue,
    Optional<String> partition,
    Optional<String> group,
    Optional<Instant> from,
    Optional<Instant> until,
    int limit,
    int offset) {}
