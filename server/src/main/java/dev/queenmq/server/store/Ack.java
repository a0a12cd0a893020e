package dev.queenmq.server.store;

import java.util.Optional;
import java.util.UUID;

/**
 * A verdict on one delivered message.
 *
 * @param leaseId must be the live lease of (partition, group); without one, any message near the
 *     group's cursor may be named
 * @param error kept with the dead letter
 */
public record Ack(
    UUID partitionId,
    String group,
    MessageRef message,
    Optional<UUID> leaseId,
    Verdict verdict,
    Optional<String> error) {}
