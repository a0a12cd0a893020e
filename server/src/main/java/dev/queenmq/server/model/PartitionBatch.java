package dev.queenmq.server.model;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a pop got from one partition, oldest first.
 *
 * @param lease absent with autoAck
 * @param backlog how many messages lie behind the last one of this batch
 */
public record PartitionBatch(
    String queue,
    String partition,
    UUID partitionId,
    Optional<Lease> lease,
    long backlog,
    List<StoredMessage> messages) {

  /** The same with its first messages alone. */
  public PartitionBatch first(int count) {
    return new PartitionBatch(
        queue,
        partition,
        partitionId,
        lease,
        backlog + messages.size() - count,
        messages.subList(0, count));
  }

  /** The same, done and without a lease. */
  public PartitionBatch done() {
    return new PartitionBatch(queue, partition, partitionId, Optional.empty(), backlog, messages);
  }
}
