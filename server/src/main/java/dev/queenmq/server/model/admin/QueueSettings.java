package dev.queenmq.server.model.admin;

import java.time.Instant;
import java.util.UUID;

/**
 * A queue as it is configured.
 *
 * @param options every option has a value, except those that are off when they are not set: {@code
 *     retryDelay}, {@code ttl} and what is said about dead letters
 */
public record QueueSettings(
    UUID queueId,
    String queue,
    String namespace,
    String task,
    QueueOptions options,
    Instant createdAt,
    UUID defaultPartitionId) {}
