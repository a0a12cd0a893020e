package dev.queenmq.server.auth;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** So many lines a second and no more. Safe for use by several threads. */
final class LineLimit {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final int perSecond;
  private final LongSupplier nanoTime;
  private long since;
  private int said;
  private long unsaid;

  LineLimit(int perSecond, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
    since = nanoTime.getAsLong();
  }

  /** How many lines were left out since the last that was not; empty if this one is too. */
  synchronized OptionalLong pass() {
    long now = nanoTime.getAsLong();
    if (now - since >= SECOND) {
      since = now;
      said = 0;
    }
    if (said >= perSecond) {
      unsaid++;
      return OptionalLong.empty();
    }
    said++;
    long before = unsaid;
    unsaid = 0;
    return OptionalLong.of(before);
  }
}
