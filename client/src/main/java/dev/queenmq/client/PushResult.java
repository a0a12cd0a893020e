package dev.queenmq.client;

import org.jspecify.annotations.Nullable;

/**
 * What became of one message of a push.
 *
 * @param status what the broker did
 * @param transactionId the key by which the broker knows duplicates
 * @param messageId the id of the stored message; null if it is not stored in the database yet
 * @param error why it was not accepted, null otherwise
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
    FAILED,
    /** Not sent, because no broker was there, or because a request before it failed. */
    UNSENT,
    /** Sent without an answer. It may be stored; push the same {@link OutgoingMessage} again. */
    UNKNOWN
  }

  /**
   * Whether the broker has the message now: {@code QUEUED}, {@code DUPLICATE} or {@code BUFFERED}.
   *
   * @return true if it need not be pushed again
   */
  public boolean isAccepted() {
    return switch (status) {
      case QUEUED, DUPLICATE, BUFFERED -> true;
      case FAILED, UNSENT, UNKNOWN -> false;
    };
  }

  /**
   * Throws if the message was not accepted.
   *
   * @return this
   * @throws RejectedException if the broker refused it
   * @throws UnavailableException if it was not sent, or if its answer was lost
   */
  public PushResult orThrow() {
    if (isAccepted()) {
      return this;
    }
    String why = error == null ? "the push failed" : error;
    throw status == Status.FAILED
        ? new RejectedException(201, why)
        : new UnavailableException(why, status == Status.UNKNOWN, null);
  }
}
