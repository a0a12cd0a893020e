package dev.queenmq.server.broker;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/** Follows the calls of the store, each of which may carry the items of several requests. */
public interface CallTracing {

  /** Follows none. */
  CallTracing NONE =
      new CallTracing() {
        @Override
        public <Q, A> Function<List<Q>, Future<List<A>>> around(
            String operation, Function<List<Q>, Future<List<A>>> call) {
          return call;
        }
      };

  /**
   * The same call, followed. Asked once for each kind of call, not for each call.
   *
   * @param <Q> an item of a request
   * @param <A> the answer to an item
   */
  <Q, A> Function<List<Q>, Future<List<A>>> around(
      String operation, Function<List<Q>, Future<List<A>>> call);
}
