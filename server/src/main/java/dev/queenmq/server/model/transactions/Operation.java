package dev.queenmq.server.model.transactions;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Message;

/** One step of a transaction. */
public sealed interface Operation {

  /** Append a message. */
  record Push(Message message) implements Operation {}

  /**
   * Give an ack. In a transaction {@link AckStatus#FAILED} gives up on the message at once, as
   * {@link AckStatus#DLQ} does, and {@link AckStatus#RETRY} is refused.
   */
  record Acknowledge(Ack ack) implements Operation {}
}
