package dev.queenmq.server.store;

/** One step of a transaction. */
public sealed interface Operation {

  /** Append a message. */
  record Push(Message message) implements Operation {}

  /**
   * Give a verdict. In a transaction {@link Verdict#FAILED} gives up on the message at once, as
   * {@link Verdict#DLQ} does, and {@link Verdict#RETRY} is refused.
   */
  record Acknowledge(Ack ack) implements Operation {}
}
