package dev.queenmq.bench.cluster;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.function.Supplier;

/** The one event loop on which all clients of a measurement live. */
final class Loop implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final Context context = Blocking.get(StoreConnection.newContext(vertx));

  Loop() {
    // A connection that is cut while nobody uses it has nobody else to tell.
    vertx.exceptionHandler(failure -> {});
  }

  Vertx vertx() {
    return vertx;
  }

  /** Runs on the loop and waits for it. */
  <T> T on(Supplier<T> task) {
    Promise<T> done = Promise.promise();
    context.runOnContext(go -> Future.succeededFuture().map(ready -> task.get()).onComplete(done));
    return Blocking.get(done.future());
  }

  /** Completes after a while. */
  Future<Void> pause(Duration time) {
    Promise<Void> over = Promise.promise();
    vertx.setTimer(Math.max(1, time.toMillis()), fired -> over.complete());
    return over.future();
  }

  @Override
  public void close() {
    Blocking.get(vertx.close());
  }
}
