package dev.queenmq.server.sharedstate;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Time that passes when a test says so. */
public final class ManualClock implements LongSupplier {
  private final AtomicLong now = new AtomicLong(1_700_000_000_000L);

  @Override
  public long getAsLong() {
    return now.get();
  }

  /** Lets time pass. */
  public void advance(long millis) {
    now.addAndGet(millis);
  }
}
