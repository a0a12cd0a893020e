package dev.queenmq.server.model.polling;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A partition that has something for a group.
 *
 * @param waitingSince when the oldest of the waiting messages came
 * @param freeAt until when a lease or a pause is in the way
 */
public record ReadyPartition(
    UUID partitionId, long backlog, Optional<Instant> waitingSince, Optional<Instant> freeAt) {}
