package dev.queenmq.server.broker;

import dev.queenmq.server.model.Polled;
import io.vertx.core.Future;

/** A request for messages that is under way. */
public interface Poll {

  /** What it got; nothing at its deadline. Fails only if it could not be accepted. */
  Future<Polled> answer();

  /**
   * Nobody waits for the answer any more: frees everything at once, and gives back what is leased
   * for it later. Does nothing once it is answered.
   */
  void cancel();
}
