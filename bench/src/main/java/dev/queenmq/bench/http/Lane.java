package dev.queenmq.bench.http;

import dev.queenmq.bench.broker.BrokerClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/** An event loop with connections of its own. */
record Lane(Context context, BrokerClient client) {

  /** Completes after a while. */
  Future<Void> pause(Duration time) {
    return pause(context, time);
  }

  /** The same on any event loop. */
  static Future<Void> pause(Context context, Duration time) {
    Promise<Void> over = Promise.promise();
    context.owner().setTimer(Math.max(1, time.toMillis()), fired -> over.complete());
    return over.future();
  }
}
