package dev.queenmq.server.auth;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Limits log lines to a number per second. Safe for use by several threads. */
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

  /**
   * Whether a line may be written: then the number of lines that were left out before it; empty if
   * it must be left out.
   */
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
