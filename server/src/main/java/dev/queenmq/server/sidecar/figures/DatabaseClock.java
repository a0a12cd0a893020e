package dev.queenmq.server.sidecar.figures;

import java.time.Instant;
import java.time.InstantSource;
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

  private DatabaseClock(LongSupplier monotonicMillis, InstantSource machine) {
    this.millis = monotonicMillis;
    this.ahead = machine.millis() - monotonicMillis.getAsLong();
  }

  /**
   * A clock that shows the time of this machine until it has observed that of the database.
   *
   * @param machine the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public static DatabaseClock of(InstantSource machine, LongSupplier nanoTime) {
    return new DatabaseClock(() -> nanoTime.getAsLong() / 1_000_000, machine);
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
