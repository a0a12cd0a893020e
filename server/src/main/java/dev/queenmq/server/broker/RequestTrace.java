package dev.queenmq.server.broker;

import dev.queenmq.server.model.Message;
import java.util.List;

/**
 * One request of a client, as a tracer follows it. Belongs to the event loop of the request. There
 * is none while tracing is off, so that nothing is asked then.
 */
public interface RequestTrace {

  /**
   * The client pushes these messages.
   *
   * @return the same, with the trace in those that have none
   */
  List<Message> pushing(List<Message> messages);

  /** The same broker, for the calls of this request alone. */
  Broker through(Broker broker);

  /** The request is answered. Once it has ended, the rest is ignored. */
  void answered(int status);

  /** The client went away before it was answered. */
  void abandoned();
}
