package dev.queenmq.server.spool;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls back for calls that take too long. All have the same deadline, so they expire in the order
 * of their start, and one timer for the first of them suffices. Safe for any thread.
 */
final class Deadlines {
  private static final int TICKS_PER_DEADLINE = 40;
  private static final long SHORTEST_TICK_MILLIS = 10;

  /** A call; forgets what to do once it is answered. */
  static final class Entry {
    private final long at;
    private volatile @Nullable Runnable late;

    private Entry(long at, Runnable late) {
      this.at = at;
      this.late = late;
    }

    void answered() {
      late = null;
    }
  }

  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
  private final long nanos;
  private final LongSupplier nanoTime;
  private final Vertx vertx;
  private final long timer;

  Deadlines(Vertx vertx, Duration deadline, LongSupplier nanoTime) {
    this.vertx = vertx;
    this.nanoTime = nanoTime;
    nanos = deadline.toNanos();
    timer =
        vertx.setPeriodic(
            Math.max(SHORTEST_TICK_MILLIS, deadline.toMillis() / TICKS_PER_DEADLINE),
            tick -> look());
  }

  /** Runs this unless the call is answered in time. */
  Entry add(Runnable late) {
    Entry entry = new Entry(nanoTime.getAsLong() + nanos, late);
    entries.add(entry);
    return entry;
  }

  /** How long a call may take. */
  Duration patience() {
    return Duration.ofNanos(nanos);
  }

  void stop() {
    vertx.cancelTimer(timer);
  }

  private void look() {
    long now = nanoTime.getAsLong();
    for (Entry first = entries.peek(); first != null; first = entries.peek()) {
      Runnable late = first.late;
      if (late != null && now - first.at < 0) {
        return;
      }
      entries.poll();
      if (late != null) {
        late.run();
      }
    }
  }
}
