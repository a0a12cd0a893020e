package dev.queenmq.server.model;

import java.util.Optional;

/** What became of one ack. */
public sealed interface AckOutcome {

  /**
   * It counts.
   *
   * @param leaseReleased whether the group's lease on the partition is over
   * @param deadLettered whether this ack moved the message to the dead letters
   * @param leaseGroup the group, if the lease decided it
   */
  record Applied(
      String queue,
      String partition,
      boolean leaseReleased,
      boolean deadLettered,
      Optional<String> leaseGroup)
      implements AckOutcome {

    /** The outcome for the group that the ack names. */
    public Applied(String queue, String partition, boolean leaseReleased, boolean deadLettered) {
      this(queue, partition, leaseReleased, deadLettered, Optional.empty());
    }

    public Applied of(String group) {
      return new Applied(queue, partition, leaseReleased, deadLettered, Optional.of(group));
    }
  }

  /** It changed nothing. Queue and partition are named where the group has read the partition. */
  record Failed(Reason reason, Optional<String> queue, Optional<String> partition)
      implements AckOutcome {}

  /** It cannot be carried out; nothing changed. */
  record Rejected(Problem problem) implements AckOutcome {}

  /** Whether the lease was lost; also that of an ack that has just been taken, which ends it. */
  default boolean isLeaseLost() {
    return this instanceof Failed failed && failed.reason() == Reason.LEASE_LOST;
  }

  /** The same, of a group that the lease decided. */
  default AckOutcome inGroup(String group) {
    return this instanceof Applied applied ? applied.of(group) : this;
  }

  /** Why an ack changed nothing. */
  enum Reason {
    /** The lease is not, or no longer, the live lease of the partition for the group. */
    LEASE_LOST,
    /** There is no such message within the lease, or near the group's cursor. */
    MESSAGE_NOT_FOUND,
    /** There is no lease, and the group does not read the queue: an ack makes no group. */
    UNKNOWN_GROUP,
    /** The lease is live, and another group's than the one that was named. */
    OTHER_GROUP
  }
}
