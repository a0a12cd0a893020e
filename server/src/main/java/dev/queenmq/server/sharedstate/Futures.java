package dev.queenmq.server.sharedstate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Starts what others load for us. */
final class Futures {

  private Futures() {}

  /** A loader that throws is one that failed. */
  static <T> CompletableFuture<T> start(Supplier<? extends CompletionStage<T>> loader) {
    try {
      return loader.get().toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
