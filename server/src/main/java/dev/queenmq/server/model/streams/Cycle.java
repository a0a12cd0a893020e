package dev.queenmq.server.model.streams;

import dev.queenmq.server.model.Message;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One cycle of a stream processor on a source partition: what it made of some messages. All of it
 * happens, or nothing.
 *
 * @param group that consumes the source
 * @param changes of the state of (query, partition), in order
 * @param messages to be pushed
 * @param idempotencyKey a cycle of the same query and partition with the same key happens once
 */
public record Cycle(
    UUID queryId,
    UUID partitionId,
    String group,
    List<StateChange> changes,
    List<Message> messages,
    Optional<Consumed> consumed,
    Optional<String> idempotencyKey) {
  public Cycle {
    changes = List.copyOf(changes);
    messages = List.copyOf(messages);
  }

  /** Cycles of the same query and partition wait for each other. */
  public Turn turn() {
    return new Turn(queryId, partitionId);
  }

  /** What cycles wait for. */
  public record Turn(UUID queryId, UUID partitionId) {}

  /**
   * How far the cycle has come in the source.
   *
   * @param transactionId of the last message that it consumed; those before it are done with it
   * @param leaseId must be the live lease of (partition, group), if it is given
   * @param count how many messages that are
   * @param failure why the last message is to be given up, if it is; the others are done
   * @param releaseLease whether what is left of the lease can be delivered at once; after a failure
   *     it can in any case
   */
  public record Consumed(
      String transactionId,
      Optional<UUID> leaseId,
      int count,
      Optional<String> failure,
      boolean releaseLease) {}
}
