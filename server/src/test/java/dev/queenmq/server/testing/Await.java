package dev.queenmq.server.testing;

import io.vertx.core.Future;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for futures in tests, which run outside any event loop. */
public final class Await {

  /**
   * Only ends a test that hangs: a call of ten thousand requests takes a minute where all is slow.
   */
  private static final long LIMIT_SECONDS = 300;

  private Await() {}

  /** The result; a failure fails the test. */
  public static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("the future failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("the future did not complete in time", e);
    }
  }

  /** The failure of a future that must fail. */
  public static Throwable failureOf(Future<?> future) {
    return await(
        future.transform(
            result ->
                result.failed()
                    ? Future.succeededFuture(result.cause())
                    : Future.failedFuture("expected a failure, but got " + result.result())));
  }
}
