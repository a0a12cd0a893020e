package dev.queenmq.server.sidecar.lane;

import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A request in a lane.
 *
 * @param <Q> an item of it
 * @param <A> the answer to an item
 */
final class LaneRequest<Q, A> {
  List<Q> items;
  final long bytes;
  final Promise<List<A>> answer = Promise.promise();
  final long since;

  LaneRequest(List<Q> items, long bytes, long now) {
    this.items = items;
    this.bytes = bytes;
    this.since = now;
  }

  /** Marks its items, given how long ago at most they were sent for the first time. */
  void mark(BiFunction<Q, Duration, Q> sentBefore, long now) {
    Duration ago = Duration.ofNanos(now - since);
    items = items.stream().map(item -> sentBefore.apply(item, ago)).toList();
  }
}
