package dev.queenmq.server.upkeep;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How large a step is, and how long the rest after it. A step holds locks that traffic may wait
 * for, so it gets smaller when it takes long. The rest is several times as long as the step, so
 * that traffic has PostgreSQL for itself most of the time, and the more so the slower it is; but a
 * run that does not get done within its interval has to hurry, or what it is to remove would grow
 * for ever. Belongs to one event loop.
 */
final class Pace {
  private static final int SMALLEST = 16;
  private static final int FIRST = 128;
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
  private static final long LEAST_REST_MILLIS = 2;
  private static final double CALM = 4;
  private static final double LATE = 1;
  private static final double TOO_LATE = 0.25;

  private final int most;
  private int limit;

  /**
   * A pace.
   *
   * @param most that one step may remove
   */
  Pace(int most) {
    this.most = most;
    this.limit = Math.min(most, FIRST);
  }

  /** How much the next step may remove. */
  int limit() {
    return limit;
  }

  /** Adjusts the size to the duration of a step. */
  void took(long nanos, long removed) {
    if (nanos > LONG_NANOS) {
      limit = Math.max(Math.min(SMALLEST, most), limit / 2);
    } else if (nanos < SHORT_NANOS && removed > 0) {
      limit = Math.min(most, limit * 2);
    }
  }

  /**
   * How long to rest after a step.
   *
   * @param running since when the run is under way
   */
  static long restMillis(long stepNanos, Duration running, Duration interval) {
    double factor =
        running.compareTo(interval) > 0
            ? TOO_LATE
            : running.multipliedBy(2).compareTo(interval) > 0 ? LATE : CALM;
    return Math.max(LEAST_REST_MILLIS, TimeUnit.NANOSECONDS.toMillis((long) (factor * stepNanos)));
  }
}
