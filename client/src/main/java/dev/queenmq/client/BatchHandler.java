package dev.queenmq.client;

import java.util.List;

/**
 * Handles messages of one partition together, in their order. When it returns, all are acked that
 * were not settled otherwise. When it throws, the first message that was not settled fails, and it
 * and all after it come again.
 *
 * @param <T> the payload
 */
@FunctionalInterface
public interface BatchHandler<T> {
  /**
   * Handles messages.
   *
   * @param messages of one partition, at least one
   * @throws Exception to let them fail
   */
  void handle(List<Message<T>> messages) throws Exception;
}
