package dev.queenmq.server.broker;

import dev.queenmq.server.model.Polled;
import io.vertx.core.Future;

/** A request for messages that is under way. */
public interface Poll {

  /** What it got; nothing at its deadline. Fails only if it could not be accepted. */
  Future<Polled> answer();

  /**
   * Its client does not want to wait any longer: it is answered as soon as possible. What is being
   * leased for it at this moment it gets if it can. Does nothing once the poll is answered.
   */
  default void end() {
    cancel();
  }

  /**
   * The client has gone: frees everything at once, and returns messages that are leased for the
   * poll later. Does nothing once the poll is answered.
   */
  void cancel();
}
