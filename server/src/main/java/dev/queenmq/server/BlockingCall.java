package dev.queenmq.server;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Runs the few calls that may block for seconds on a thread of their own: a worker thread of Vert.x
 * would make others wait.
 */
final class BlockingCall {

  private BlockingCall() {}

  /** Completes on a context of the given Vert.x. */
  static <T> Future<T> run(Vertx vertx, String name, Callable<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(call.call());
              } catch (Exception | Error e) {
                result.completeExceptionally(e);
              }
            },
            name);
    thread.start();
    return Future.fromCompletionStage(result, vertx.getOrCreateContext());
  }

  /** Closes something in the same way. */
  static Future<Void> close(Vertx vertx, String name, AutoCloseable resource) {
    Callable<Void> call =
        () -> {
          resource.close();
          return null;
        };
    return run(vertx, name, call);
  }
}
