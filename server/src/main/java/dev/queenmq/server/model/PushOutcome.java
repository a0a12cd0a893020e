package dev.queenmq.server.model;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What became of one pushed message. */
public sealed interface PushOutcome {

  /**
   * Stored, durably.
   *
   * @param leasedTo the group to which the same commit has leased what was pushed to the partition,
   *     as far as a poll of it takes
   */
  record Queued(
      UUID messageId, UUID partitionId, long offset, Instant createdAt, @Nullable String leasedTo)
      implements PushOutcome {

    /** Stored, and not leased to anyone. */
    public Queued(UUID messageId, UUID partitionId, long offset, Instant createdAt) {
      this(messageId, partitionId, offset, createdAt, null);
    }
  }

  /** Its transaction id was pushed before, within the queue's window; nothing was stored. */
  record Duplicate(UUID firstMessageId, UUID partitionId) implements PushOutcome {}

  /** Its queue holds as many messages as its maxSize allows; nothing was stored. */
  record QueueFull() implements PushOutcome {}

  /** It cannot be stored; nothing was. */
  record Rejected(Problem problem) implements PushOutcome {}

  /** Its queue is encrypted, and this broker has no key to seal it with; nothing was stored. */
  record KeyMissing() implements PushOutcome {}

  /**
   * The call that carried it failed, while others of the same request went well: not stored, or not
   * known to be. To be pushed again.
   *
   * @param unreachable because PostgreSQL did not answer, and not because there was too much to do
   */
  record Unanswered(Problem problem, boolean unreachable) implements PushOutcome {}

  /** On the broker's disk, durably, until it can be stored; there it will be checked once more. */
  record Buffered() implements PushOutcome {}
}
