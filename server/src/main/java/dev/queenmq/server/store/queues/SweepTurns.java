package dev.queenmq.server.store.queues;

import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Lets the sweeps of a broker go one after the other, whichever of its stores they belong to. Safe
 * for use by several threads.
 */
public final class SweepTurns {
  private static final int USUAL_REST = 4;

  private final int rest;
  private Future<Void> last = Future.succeededFuture();

  /** Without a sweep yet. */
  public SweepTurns() {
    this(USUAL_REST);
  }

  /**
   * For tests that cannot wait.
   *
   * @param rest how many times as long as a statement took a sweep rests after it
   */
  public SweepTurns(int rest) {
    this.rest = rest;
  }

  int rest() {
    return rest;
  }

  /** Begins a sweep when those before it have ended, well or not. */
  synchronized <T> Future<T> take(Supplier<Future<T>> sweep) {
    Future<T> next = last.transform(before -> sweep.get());
    last = next.transform(over -> Future.succeededFuture());
    return next;
  }

  /** Completes when those that have been asked for have ended. */
  public synchronized Future<Void> done() {
    return last;
  }
}
