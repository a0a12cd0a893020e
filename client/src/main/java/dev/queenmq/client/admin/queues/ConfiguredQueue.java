package dev.queenmq.client.admin.queues;

import java.util.UUID;

/**
 * A queue after its options were set.
 *
 * @param queue its name
 * @param namespace a label; empty if it has none
 * @param task a label; empty if it has none
 * @param queueId of the queue
 * @param partitionId of its partition {@code Default}
 * @param options all of them, as they are in force
 */
public record ConfiguredQueue(
    String queue,
    String namespace,
    String task,
    UUID queueId,
    UUID partitionId,
    QueueOptions options) {}
