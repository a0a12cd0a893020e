package dev.queenmq.bench.http;

import io.vertx.core.Future;

/** Sends messages to one queue. */
public interface MessageProducer {
  /**
   * Sends messages that carry this number, in one request where the protocol has such.
   *
   * @return how many the system has confirmed: all of them, else it fails
   */
  Future<Integer> push(int batch, long number);
}
