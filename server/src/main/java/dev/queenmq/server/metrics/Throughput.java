package dev.queenmq.server.metrics;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The rate of a counter, from its earlier readings. Keeps the readings of the last five minutes, at
 * most one a second; the first reading gives 0. Safe for use by several threads.
 */
public final class Throughput {

  private static final long WINDOW = Duration.ofMinutes(5).toNanos();
  private static final long CLOSEST = Duration.ofSeconds(1).toNanos();

  private final Deque<Look> looks = new ArrayDeque<>();

  /** One that has not looked yet. */
  public Throughput() {}

  /**
   * The mean over the last five minutes, or since the first look.
   *
   * @param nanoTime of the look
   * @param total what the counter shows
   */
  public synchronized double perSecond(long nanoTime, long total) {
    if (!looks.isEmpty() && total < looks.getLast().total()) {
      looks.clear(); // what was counted has been deleted
    }
    // The one before the window stays as its beginning until there is one within.
    while (looks.size() > 1 && nanoTime - looks.getFirst().nanoTime() > WINDOW) {
      looks.removeFirst();
    }
    if (looks.isEmpty() || nanoTime - looks.getLast().nanoTime() >= CLOSEST) {
      looks.addLast(new Look(nanoTime, total));
    }
    Look first = looks.getFirst();
    long nanos = nanoTime - first.nanoTime();
    return nanos < CLOSEST ? 0.0 : (total - first.total()) * 1e9 / nanos;
  }

  private record Look(long nanoTime, long total) {}
}
