package dev.queenmq.server.model;

import java.util.Optional;
import java.util.UUID;

/**
 * An ack on one delivered message.
 *
 * @param group the consumer group
 * @param leaseId must be the live lease of (partition, group); without one, any message near the
 *     group's cursor may be named
 * @param error kept with the dead letter
 * @param groupNamed whether the caller has named the group; if not, the lease decides whose ack it
 *     is, and the group counts if there is no lease
 */
public record Ack(
    UUID partitionId,
    String group,
    MessageRef message,
    Optional<UUID> leaseId,
    AckStatus status,
    Optional<String> error,
    boolean groupNamed) {

  /** An ack of a group that the caller has named. */
  public Ack(
      UUID partitionId,
      String group,
      MessageRef message,
      Optional<UUID> leaseId,
      AckStatus status,
      Optional<String> error) {
    this(partitionId, group, message, leaseId, status, error, true);
  }

  /** The same ack of a group. */
  public Ack of(String other) {
    return new Ack(partitionId, other, message, leaseId, status, error);
  }
}
