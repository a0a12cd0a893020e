package dev.queenmq.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.function.Supplier;

/** One event loop on which all clients of a run live. */
public final class EventLoop implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final Context context = Blocking.get(StoreConnection.newContext(vertx));

  /** Starts it. */
  public EventLoop() {
    // A connection that is cut while it is idle has no other way to report it.
    vertx.exceptionHandler(failure -> {});
  }

  /** The Vert.x instance, for clients that run on this event loop. */
  public Vertx vertx() {
    return vertx;
  }

  /** Where its tasks run. */
  public Context context() {
    return context;
  }

  /** Runs on the loop and waits for it. */
  public <T> T on(Supplier<T> task) {
    return await(() -> Future.succeededFuture(task.get()));
  }

  /** Begins on the loop and waits until it is over. */
  public <T> T await(Supplier<Future<T>> task) {
    Promise<T> done = Promise.promise();
    context.runOnContext(
        go -> Future.succeededFuture().compose(ready -> task.get()).onComplete(done));
    return Blocking.get(done.future());
  }

  /** Completes after a while. */
  public Future<Void> pause(Duration time) {
    return pause(context, time);
  }

  /** The same on any event loop. */
  public static Future<Void> pause(Context context, Duration time) {
    Promise<Void> over = Promise.promise();
    context.owner().setTimer(Math.max(1, time.toMillis()), fired -> over.complete());
    return over.future();
  }

  @Override
  public void close() {
    Blocking.get(vertx.close());
  }
}
