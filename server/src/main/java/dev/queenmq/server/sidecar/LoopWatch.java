package dev.queenmq.server.sidecar;

import io.vertx.core.Vertx;

/**
 * Looks ten times a second how late an event loop runs and what it has to do. Belongs to that event
 * loop.
 */
final class LoopWatch {
  private static final long TICK_MILLIS = 100;

  private final Vertx vertx;
  private final Sidecar sidecar;

  LoopWatch(Vertx vertx, Sidecar sidecar) {
    this.vertx = vertx;
    this.sidecar = sidecar;
  }

  void start() {
    next();
  }

  private void next() {
    long due = System.nanoTime() + TICK_MILLIS * 1_000_000;
    vertx.setTimer(
        TICK_MILLIS,
        tick -> {
          if (sidecar.refusal().isEmpty()) {
            look(Math.max(System.nanoTime() - due, 0) / 1e6);
            next();
          }
        });
  }

  private void look(double delayMillis) {
    sidecar
        .traffic()
        .looked(
            delayMillis,
            sidecar.idleSlots(),
            sidecar.pending(),
            sidecar.slots(),
            sidecar.room().figures().backedOff());
  }
}
