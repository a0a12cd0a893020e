package dev.queenmq.server.model;

import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes UUIDv7 message ids: time-ordered, and strictly increasing within one maker whatever its
 * clock does. Also ids of transactions. Safe for any thread.
 */
public final class MessageIds {
  private static final int COUNTER_BITS = 12;
  private static final long VERSION_MASK = 0xf000L;
  private static final long VERSION_4 = 0x4000L;
  private static final long VERSION_7 = 0x7000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  private final InstantSource clock;
  // Milliseconds and a counter of 12 bits; running over into the milliseconds keeps the order.
  private final AtomicLong last = new AtomicLong();

  /** A maker on a clock. */
  public MessageIds(InstantSource clock) {
    this.clock = clock;
  }

  /** The next id. */
  public UUID next() {
    long now = clock.millis() << COUNTER_BITS;
    long tick = last.accumulateAndGet(now, MessageIds::after);
    long high = (tick >>> COUNTER_BITS) << 16 | VERSION_7 | (tick & ((1 << COUNTER_BITS) - 1));
    long low = VARIANT | (ThreadLocalRandom.current().nextLong() >>> 2);
    return new UUID(high, low);
  }

  private static long after(long previous, long now) {
    return Math.max(previous + 1, now);
  }

  /**
   * A random UUIDv4, for a message without a transaction id. It has to differ from others and may
   * be guessed: a source of randomness that is fit for secrets takes longer than all else that is
   * done for a small message.
   */
  public UUID random() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(
        (random.nextLong() & ~VERSION_MASK) | VERSION_4, VARIANT | (random.nextLong() >>> 2));
  }
}
