package dev.queenmq.server.sidecar;

import io.vertx.core.Promise;
import java.util.List;

/**
 * A request in a lane.
 *
 * @param <Q> an item of it
 * @param <A> the answer to an item
 */
final class LaneRequest<Q, A> {
  final List<Q> items;
  final long bytes;
  final Promise<List<A>> answer = Promise.promise();
  final long since = System.nanoTime();

  LaneRequest(List<Q> items, long bytes) {
    this.items = items;
    this.bytes = bytes;
  }
}
