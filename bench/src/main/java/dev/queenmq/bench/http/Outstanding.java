package dev.queenmq.bench.http;

import java.util.concurrent.atomic.AtomicLong;

/** Requests without an answer so far. Safe for any thread. */
final class Outstanding {
  private final AtomicLong count = new AtomicLong();

  void sent() {
    count.incrementAndGet();
  }

  void answered() {
    count.decrementAndGet();
  }

  boolean isNone() {
    return count.get() == 0;
  }
}
