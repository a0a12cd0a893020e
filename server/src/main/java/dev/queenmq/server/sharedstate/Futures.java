package dev.queenmq.server.sharedstate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Calls loaders that may throw. */
final class Futures {

  private Futures() {}

  /** Calls a loader; an exception becomes a failed future. */
  static <T> CompletableFuture<T> start(Supplier<? extends CompletionStage<T>> loader) {
    try {
      return loader.get().toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
