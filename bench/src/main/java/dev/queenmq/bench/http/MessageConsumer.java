package dev.queenmq.bench.http;

import io.vertx.core.Future;

/** Takes messages of one queue, and says that they are done. */
public interface MessageConsumer {
  /** The numbers that the next messages carry; none if there are none. */
  Future<long[]> take();

  /** Says that all of the last {@link #take} are done; how many that were. */
  Future<Integer> ack();

  /** Takes and acks; how many messages it was. */
  default Future<Integer> takeAndAck() {
    return take().compose(taken -> taken.length == 0 ? Future.succeededFuture(0) : ack());
  }
}
