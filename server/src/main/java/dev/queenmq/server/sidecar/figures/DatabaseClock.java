package dev.queenmq.server.sidecar.figures;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Turns moments of the database's clock into moments of this process's own, which only counts on.
 * Leases and delays go by the database's clock; the broker's may be wrong, and does not matter.
 * Safe for use by several threads.
 */
public final class DatabaseClock {
  private final LongSupplier millis;
  // Database time minus own time; good to a few milliseconds.
  private volatile long ahead;

  DatabaseClock(LongSupplier monotonicMillis) {
    this.millis = monotonicMillis;
    this.ahead = System.currentTimeMillis() - monotonicMillis.getAsLong();
  }

  /** One that counts with {@link System#nanoTime}. */
  public static DatabaseClock system() {
    return new DatabaseClock(() -> System.nanoTime() / 1_000_000);
  }

  /** Now, on the own clock. */
  public long now() {
    return millis.getAsLong();
  }

  /** The database's clock showed this between two moments of ours. */
  public void observed(Instant databaseTime, long asked, long answered) {
    ahead = databaseTime.toEpochMilli() - (asked + answered) / 2;
  }

  /** What the database's clock shows now, in milliseconds since 1970. */
  public long databaseMillis() {
    return millis.getAsLong() + ahead;
  }

  /** When, on the own clock, the database's will show this. */
  public long when(Instant databaseTime) {
    return databaseTime.toEpochMilli() - ahead;
  }
}
