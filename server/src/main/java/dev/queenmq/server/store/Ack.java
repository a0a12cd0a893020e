package dev.queenmq.server.store;

import java.util.Optional;
import java.util.UUID;

/**
 * A verdict on one delivered message.
 *
 * @param group who judges
 * @param leaseId must be the live lease of (partition, group); without one, any message near the
 *     group's cursor may be named
 * @param error kept with the dead letter
 * @param groupNamed whether the caller has named the group; if not, the lease decides whose verdict
 *     it is, and the group counts if there is no lease
 */
public record Ack(
    UUID partitionId,
    String group,
    MessageRef message,
    Optional<UUID> leaseId,
    Verdict verdict,
    Optional<String> error,
    boolean groupNamed) {

  /** A verdict of a group that the caller has named. */
  public Ack(
      UUID partitionId,
      String group,
      MessageRef message,
      Optional<UUID> leaseId,
      Verdict verdict,
      Optional<String> error) {
    this(partitionId, group, message, leaseId, verdict, error, true);
  }

  /** The same verdict of a group. */
  public Ack of(String other) {
    return new Ack(partitionId, other, message, leaseId, verdict, error);
  }
}
