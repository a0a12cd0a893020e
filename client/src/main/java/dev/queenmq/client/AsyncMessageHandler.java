package dev.queenmq.client;

import java.util.concurrent.CompletionStage;

/**
 * Handles one message without holding a thread: the message is acked when the stage completes, and
 * fails when it completes exceptionally. It must return quickly.
 *
 * @param <T> the payload
 */
@FunctionalInterface
public interface AsyncMessageHandler<T> {
  /**
   * Begins to handle a message.
   *
   * @param message what was received
   * @return completes when it is handled
   */
  CompletionStage<?> handle(Message<T> message);
}
