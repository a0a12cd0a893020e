package dev.queenmq.server.sidecar.waiting;

import java.util.Comparator;

/**
 * A moment at which something is to be done for a poll or a group.
 *
 * @param serial distinguishes alarms of one moment
 */
record Alarm(long at, long serial, Runnable rings) implements Comparable<Alarm> {
  private static final Comparator<Alarm> ORDER =
      Comparator.comparingLong(Alarm::at).thenComparingLong(Alarm::serial);

  @Override
  public int compareTo(Alarm other) {
    return ORDER.compare(this, other);
  }
}
