package dev.queenmq.server.sidecar;

import io.vertx.core.Vertx;
import java.util.function.LongSupplier;

/**
 * Looks ten times a second how late an event loop runs and what it has to do. Belongs to that event
 * loop.
 */
final class LoopWatch {
  private static final long TICK_MILLIS = 100;

  /** What works on the event loop. */
  interface Worker {
    boolean isStopping();

    /** Takes down how late the event loop is, and what there is to do. */
    void note(double delayMillis);
  }

  private final Vertx vertx;
  private final Worker worker;
  private final LongSupplier nanoTime;

  LoopWatch(Vertx vertx, Worker worker, LongSupplier nanoTime) {
    this.vertx = vertx;
    this.worker = worker;
    this.nanoTime = nanoTime;
  }

  void start() {
    next();
  }

  private void next() {
    long due = nanoTime.getAsLong() + TICK_MILLIS * 1_000_000;
    vertx.setTimer(
        TICK_MILLIS,
        tick -> {
          if (!worker.isStopping()) {
            worker.note(Math.max(nanoTime.getAsLong() - due, 0) / 1e6);
            next();
          }
        });
  }
}
