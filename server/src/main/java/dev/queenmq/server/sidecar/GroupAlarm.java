package dev.queenmq.server.sidecar;

import io.vertx.core.Vertx;

/** Rings for a group when the next lease ends or the next delay is over. */
final class GroupAlarm {
  private final Vertx vertx;
  private final DatabaseClock clock;
  private long moment = ReadyList.NEVER;
  private long timer = Waiter.NO_TIMER;

  GroupAlarm(Vertx vertx, DatabaseClock clock) {
    this.vertx = vertx;
    this.clock = clock;
  }

  /**
   * Sets it.
   *
   * @param next when; the smallest number: after the given interval
   */
  void set(long next, int intervalMillis, Runnable ring) {
    if (next == ReadyList.NEVER || next == moment) {
      return;
    }
    clear();
    moment = next;
    long delay = next == Long.MIN_VALUE ? intervalMillis : Math.max(1, next - clock.now());
    timer =
        vertx.setTimer(
            delay,
            due -> {
              moment = ReadyList.NEVER;
              timer = Waiter.NO_TIMER;
              ring.run();
            });
  }

  void clear() {
    if (timer != Waiter.NO_TIMER) {
      vertx.cancelTimer(timer);
      timer = Waiter.NO_TIMER;
      moment = ReadyList.NEVER;
    }
  }
}
