package dev.queenmq.client.admin.query;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * From when to when.
 *
 * @param from null leaves the beginning to the broker, usually an hour before the end
 * @param to null is now
 */
public record TimeRange(@Nullable Instant from, @Nullable Instant to) {

  /**
   * The broker's default: usually the last hour.
   *
   * @return the range
   */
  public static TimeRange usual() {
    return new TimeRange(null, null);
  }

  /**
   * From one moment to another.
   *
   * @param from its beginning
   * @param to its end
   * @return the range
   */
  public static TimeRange between(Instant from, Instant to) {
    return new TimeRange(from, to);
  }

  /**
   * The time before now, by the clock of this machine.
   *
   * @param length how long
   * @return the range
   */
  public static TimeRange last(Duration length) {
    return new TimeRange(Instant.now().minus(length), null);
  }
}
