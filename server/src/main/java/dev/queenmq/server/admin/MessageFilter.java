package dev.queenmq.server.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * Which messages to show.
 *
 * @param from created at this moment or later; an hour ago if it is empty
 * @param to created before the end of this minute; now if it is empty
 */
public record MessageFilter(
    Optional<String> queue,
    Optional<String> partition,
    Optional<String> namespace,
    Optional<String> task,
    Optional<String> status,
    Optional<Instant> from,
    Optional<Instant> to,
    int limit,
    int offset) {}
