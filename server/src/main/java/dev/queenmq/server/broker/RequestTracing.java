package dev.queenmq.server.broker;

import org.jspecify.annotations.Nullable;

/** Follows requests of clients. Safe for any thread. */
public interface RequestTracing {

  /**
   * A request begins.
   *
   * @param operation what the client wants, in a word
   * @param traceparent the W3C trace context that it sent, if any; may be anything
   */
  RequestTrace begin(String operation, @Nullable String traceparent);
}
