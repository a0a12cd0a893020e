package dev.queenmq.client;

import org.jspecify.annotations.Nullable;

/**
 * What became of one message of a push.
 *
 * @param status what the broker did
 * @param transactionId the key by which the broker knows duplicates
 * @param messageId the id of the stored message; null if it is not stored in the database yet
 * @param error why it failed, null otherwise
 */
public record PushResult(
    Status status, String transactionId, @Nullable String messageId, @Nullable String error) {

  /** What the broker did with a message. */
  public enum Status {
    /** Stored in the database. */
    QUEUED,
    /** Stored before under the same transaction id; {@code messageId} is that of the first. */
    DUPLICATE,
    /** On the broker's disk while the database is away; it will be stored later, in order. */
    BUFFERED,
    /** Not stored, see {@code error}; push it again. */
    FAILED
  }

  /**
   * Whether the broker has the message now: all but {@link Status#FAILED}.
   *
   * @return true if it need not be pushed again
   */
  public boolean isAccepted() {
    return status != Status.FAILED;
  }

  /**
   * Throws if the message was not accepted.
   *
   * @return this
   * @throws RejectedException if the broker refused it
   */
  public PushResult orThrow() {
    if (!isAccepted()) {
      throw new RejectedException(201, error == null ? "the push failed" : error);
    }
    return this;
  }
}
