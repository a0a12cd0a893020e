package dev.queenmq.client;

import java.time.Duration;

/**
 * How long and how often the client repeats a request that is safe to repeat. The pause before
 * retry number n is random between half of and all of {@code firstDelay * 2^(n-1)}, at most {@code
 * maxDelay}. While another broker is healthy, the first retry goes there without a pause. Durations
 * of more than a hundred years count as a hundred years.
 *
 * @param giveUpAfter no retry starts later than this after the call; zero means no retries
 * @param firstDelay the pause before the first retry
 * @param maxDelay the longest pause
 */
public record RetryPolicy(Duration giveUpAfter, Duration firstDelay, Duration maxDelay) {
  /** So that every duration is a number of nanoseconds, that of "for ever" too. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /**
   * Checks the durations.
   *
   * @param giveUpAfter not negative
   * @param firstDelay not negative
   * @param maxDelay not negative
   */
  public RetryPolicy {
    if (giveUpAfter.isNegative() || firstDelay.isNegative() || maxDelay.isNegative()) {
      throw new IllegalArgumentException("durations of a retry policy must not be negative");
    }
    giveUpAfter = capped(giveUpAfter);
    firstDelay = capped(firstDelay);
    maxDelay = capped(maxDelay);
  }

  /** The duration, or a hundred years if it is longer. */
  static Duration capped(Duration duration) {
    return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
  }

  /**
   * What a client does by default: 30 seconds, with pauses from 100 milliseconds to 3 seconds.
   *
   * @return the default
   */
  public static RetryPolicy standard() {
    return new RetryPolicy(Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofSeconds(3));
  }

  /**
   * Every request is sent once.
   *
   * @return no retries
   */
  public static RetryPolicy none() {
    return new RetryPolicy(Duration.ZERO, Duration.ZERO, Duration.ZERO);
  }

  /**
   * The pause before a retry.
   *
   * @param retry 1 for the first
   * @param random between 0 and 1
   * @return how long to wait
   */
  public Duration delay(int retry, double random) {
    double full = (double) firstDelay.toNanos() * Math.pow(2, Math.min(retry - 1, 40));
    double capped = Math.min(full, (double) maxDelay.toNanos());
    return Duration.ofNanos((long) (capped * (0.5 + random / 2)));
  }
}
