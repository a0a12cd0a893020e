package dev.queenmq.bench.peers;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicInteger;

/** Waits until all messages of one push are confirmed. Safe for any thread. */
final class Confirmations {
  private final Context context;
  private final int expected;
  private final AtomicInteger missing;
  private final Promise<Integer> promise = Promise.promise();

  Confirmations(Context context, int expected) {
    this.context = context;
    this.expected = expected;
    missing = new AtomicInteger(expected);
  }

  /** One more is confirmed. */
  void confirmed() {
    if (missing.decrementAndGet() == 0) {
      context.runOnContext(go -> promise.tryComplete(expected));
    }
  }

  /** One never will be. */
  void failed(Throwable failure) {
    context.runOnContext(go -> promise.tryFail(failure));
  }

  /** How many there were, on the event loop. */
  Future<Integer> all() {
    return promise.future();
  }
}
