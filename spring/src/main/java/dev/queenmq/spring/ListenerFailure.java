package dev.queenmq.spring;

import dev.queenmq.client.Message;
import java.util.List;

/**
 * A listener threw.
 *
 * @param listener its id
 * @param messages what it was called with: one, or a list of one partition
 * @param error what it threw; a {@code PayloadException} if the payload is of another type
 */
public record ListenerFailure(
    String listener, List<? extends Message<?>> messages, Throwable error) {

  /**
   * Copies the list.
   *
   * @param listener its id
   * @param messages at least one
   * @param error what it threw
   */
  public ListenerFailure {
    messages = List.copyOf(messages);
  }

  /**
   * The message, or the first of the list.
   *
   * @return one message
   */
  public Message<?> message() {
    return messages.get(0);
  }
}
