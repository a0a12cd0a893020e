package dev.queenmq.client.internal.consumer;

import java.util.List;

/**
 * An action of the core. The shell carries it out and reports the result to the core.
 *
 * @param <M> a message
 */
public sealed interface Action<M> {

  /** Pop; answered by {@code polled} or {@code pollFailed}. */
  record Poll<M>(long id, int partitions) implements Action<M> {}

  /** Get the answer of a pop as soon as possible, with messages or without; asked once for each. */
  record EndPoll<M>(long id) implements Action<M> {}

  /** Call the handler; answered by {@code handled}. */
  record Run<M>(long id, List<M> messages) implements Action<M> {}

  /**
   * Send these to the broker, in this order; answered by {@code acked}, {@code ackFailed} or {@code
   * ackRefused}.
   */
  record Ack<M>(List<Settled<M>> dispositions) implements Action<M> {}

  /** Extend a lease; answered by {@code extended} or {@code extendFailed}. */
  record Extend<M>(String leaseId, long seconds) implements Action<M> {}

  /** These will never be settled by this consumer: the broker delivers them again. */
  record Lost<M>(List<M> messages) implements Action<M> {}

  /** All is done after a stop. */
  record Stopped<M>() implements Action<M> {}

  /**
   * A message with its disposition.
   *
   * @param <M> a message
   */
  record Settled<M>(M message, Disposition disposition) {}
}
