package dev.queenmq.server.model.streams;

import dev.queenmq.server.model.Problem;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What became of a cycle. */
public sealed interface CycleOutcome {

  /**
   * All of it happened.
   *
   * @param queue the source
   * @param repeated not now, but when a cycle with the same idempotency key came first; all else is
   *     as it was then
   * @param changes how many of the state there were
   * @param pushes one for each message
   * @param source what became of the source, if messages were consumed
   */
  record Committed(
      String queue,
      String partition,
      boolean repeated,
      int changes,
      List<Pushed> pushes,
      Optional<SourceResult> source)
      implements CycleOutcome {
    public Committed {
      pushes = List.copyOf(pushes);
    }
  }

  /** None of it happened. */
  record RolledBack(Reason reason) implements CycleOutcome {}

  /** It cannot be carried out; none of it happened. */
  record Rejected(Problem problem) implements CycleOutcome {}

  /**
   * What became of a message.
   *
   * @param messageId its own, or that of the message that it repeats
   * @param duplicate it repeats one, and was not stored
   */
  record Pushed(
      String queue,
      String transactionId,
      @Nullable UUID traceId,
      UUID messageId,
      UUID partitionId,
      boolean duplicate) {}

  /**
   * What became of the source.
   *
   * @param count how many messages were consumed, as the cycle says
   * @param leaseReleased whether the group's lease on the partition is over
   * @param deadLettered whether the last message went to the dead letters
   */
  record SourceResult(int count, boolean leaseReleased, boolean deadLettered) {}

  /** Why nothing happened. */
  enum Reason {
    /** There is no such query. */
    QUERY_NOT_FOUND,
    /** There is no such partition. */
    PARTITION_NOT_FOUND,
    /** The lease is not, or no longer, the live lease of the partition for the group. */
    LEASE_LOST,
    /** There is no such message within the lease, or near the group's cursor. */
    MESSAGE_NOT_FOUND,
    /** There is no lease, and the group does not read the source queue. */
    UNKNOWN_GROUP,
    /** A queue that it pushes to has no room. */
    QUEUE_FULL,
    /** A queue that it pushes to is encrypted, and there is no key. */
    KEY_MISSING
  }
}
