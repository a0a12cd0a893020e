package dev.queenmq.client;

/**
 * Handles one message. When it returns, the message is acked, unless it was settled otherwise. When
 * it throws, the message fails: it comes again, and what follows it in its partition waits.
 *
 * @param <T> the payload
 */
@FunctionalInterface
public interface MessageHandler<T> {
  /**
   * Handles a message.
   *
   * @param message what was received
   * @throws Exception to let the message fail; the text becomes part of a dead letter
   */
  void handle(Message<T> message) throws Exception;
}
