package dev.queenmq.server.model;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A partition that a pop looked at and got nothing from.
 *
 * @param partitionId absent when a partition asked for by name does not exist
 * @param dueAt from when on it may give something, where that is known
 */
public record SkippedPartition(Optional<UUID> partitionId, Reason reason, Optional<Instant> dueAt) {

  /** Why it gave nothing. */
  public enum Reason {
    /** There is no such partition. */
    MISSING,
    /** Nothing lies behind the group's cursor. */
    EMPTY,
    /** A consumer of the group holds it. */
    LEASED,
    /** Its messages are younger than the queue's delayedProcessing. */
    DELAYED,
    /** A message failed and the queue's retryDelay runs, or it cannot be opened for now. */
    PAUSED,
    /** The queue's windowBuffer is open. */
    WINDOW,
    /** Another transaction is at its cursor: ask again. */
    BUSY,
    /** An operator has paused pops of its queue, or of the group there. */
    STOPPED,
    /** Its next message must be delivered alone, and this answer has others: ask again. */
    ALONE
  }
}
