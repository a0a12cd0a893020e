package dev.queenmq.spring;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What is done around the pushes of a {@link QueenTemplate}, for metrics and traces. */
@FunctionalInterface
public interface PushObserver {

  /**
   * Pushes.
   *
   * @param <R> the result
   * @param queue where to
   * @param push begins the push when it is called, which happens once
   * @return what the push returned
   */
  <R> CompletableFuture<R> observe(String queue, Supplier<CompletableFuture<R>> push);
}
