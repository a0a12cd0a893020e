package dev.queenmq.spring;

/**
 * Decides what becomes of messages whose listener threw. Make it a bean: the only one of this type
 * is for all listeners; with several, a listener names its own.
 *
 * <p>Without one, failures are logged as a warning, and the message {@link Decision#FAIL fails}.
 */
@FunctionalInterface
public interface QueenErrorHandler {

  /**
   * A listener threw. What this method throws lets the message fail, as {@link Decision#FAIL} does.
   *
   * @param failure what happened
   * @return what to do
   */
  Decision onError(ListenerFailure failure);

  /**
   * What becomes of a message. For a list of messages: of all that the listener did not settle; if
   * a payload of the list cannot be read, of that message alone.
   */
  enum Decision {
    /**
     * It failed. It is delivered again, with what follows in its partition; after the queue's
     * {@code retryLimit} it becomes a dead letter.
     */
    FAIL,
    /** It is delivered again, without being counted as a failure. */
    RETRY,
    /** It becomes a dead letter at once, and the partition goes on. */
    DEAD_LETTER,
    /** It is acked all the same, and the partition goes on. */
    DISCARD
  }
}
