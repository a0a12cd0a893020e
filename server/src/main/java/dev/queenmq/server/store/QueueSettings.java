package dev.queenmq.server.store;

import java.time.Instant;
import java.util.UUID;

/**
 * A queue as it is configured.
 *
 * @param options every option has a value, except {@code retryDelay} and {@code ttl} where nobody
 *     set them: their defaults are shown to callers but not enforced
 */
public record QueueSettings(
    UUID queueId,
    String queue,
    String namespace,
    String task,
    QueueOptions options,
    Instant createdAt,
    UUID defaultPartitionId) {}
