package dev.queenmq.server;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The time between the signal to stop and the closing of the port. Meanwhile the broker serves
 * requests as before and reports that it is not ready, so that load balancers send requests
 * elsewhere. Safe for any thread.
 */
final class Drain {
  private final Duration time;
  private volatile boolean begun;

  Drain(Duration time) {
    this.time = time;
  }

  /** Whether the broker is about to stop. */
  boolean hasBegun() {
    return begun;
  }

  /** Begins it; completes when it is over. */
  Future<Void> begin() {
    begun = true;
    // Without a context: what comes next closes the Vert.x that all of them belong to.
    Executor later = CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS);
    return Future.fromCompletionStage(CompletableFuture.runAsync(() -> {}, later));
  }
}
