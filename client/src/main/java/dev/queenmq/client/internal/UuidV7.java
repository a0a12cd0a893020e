package dev.queenmq.client.internal;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes UUIDs that sort by the time of their making. Two of one generator never have the same first
 * half: it is a counter that starts at the time, so that it also stays ahead of a clock that is set
 * back.
 */
public final class UuidV7 {
  private static final int COUNTER_BITS = 12;

  private final Clock clock;

  /** Keeps processes apart; after that the bits need to differ, not to be secret. */
  private final long salt = new SecureRandom().nextLong();

  /** Milliseconds, then 12 bits that count. */
  private final AtomicLong last = new AtomicLong();

  /** A generator. */
  public UuidV7(Clock clock) {
    this.clock = clock;
  }

  /** The next one. */
  public UUID next() {
    long now = clock.millis() << COUNTER_BITS;
    long mine = last.updateAndGet(before -> Math.max(before + 1, now));
    long millis = mine >>> COUNTER_BITS;
    long counter = mine & ((1 << COUNTER_BITS) - 1);
    long high = (millis << 16) | 0x7000 | counter;
    long random = ThreadLocalRandom.current().nextLong() ^ salt;
    long low = (random & 0x3fffffffffffffffL) | 0x8000000000000000L;
    return new UUID(high, low);
  }
}
