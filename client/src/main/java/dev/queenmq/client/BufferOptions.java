package dev.queenmq.client;

import java.time.Duration;

/**
 * How a {@link PushBuffer} collects. Durations of more than a hundred years count as a hundred
 * years.
 *
 * @param maxMessages that it holds, those under way included
 * @param maxBytes that it holds, those under way included
 * @param linger how long a message waits for others before it is sent
 * @param blockWhenFull how long a push waits for room; zero to fail at once
 */
public record BufferOptions(
    int maxMessages, long maxBytes, Duration linger, Duration blockWhenFull) {

  /**
   * Checks the limits.
   *
   * @param maxMessages at least 1
   * @param maxBytes at least 1
   * @param linger not negative
   * @param blockWhenFull not negative
   */
  public BufferOptions {
    if (maxMessages < 1 || maxBytes < 1 || linger.isNegative() || blockWhenFull.isNegative()) {
      throw new IllegalArgumentException("limits of a buffer must be positive");
    }
    linger = RetryPolicy.capped(linger);
    blockWhenFull = RetryPolicy.capped(blockWhenFull);
  }

  /**
   * 10,000 messages, 16 MiB, 10 milliseconds; a push waits a minute for room.
   *
   * @return the defaults
   */
  public static BufferOptions standard() {
    return new BufferOptions(10_000, 16 << 20, Duration.ofMillis(10), Duration.ofMinutes(1));
  }

  /**
   * The same with other limits.
   *
   * @param messages that it holds
   * @param bytes that it holds
   * @return changed options
   */
  public BufferOptions limit(int messages, long bytes) {
    return new BufferOptions(messages, bytes, linger, blockWhenFull);
  }

  /**
   * The same with another time to collect.
   *
   * @param time a message waits for others
   * @return changed options
   */
  public BufferOptions linger(Duration time) {
    return new BufferOptions(maxMessages, maxBytes, time, blockWhenFull);
  }

  /**
   * A push into a full buffer waits.
   *
   * @param most then it fails
   * @return changed options
   */
  public BufferOptions blockWhenFull(Duration most) {
    return new BufferOptions(maxMessages, maxBytes, linger, most);
  }

  /**
   * A push into a full buffer fails at once.
   *
   * @return changed options
   */
  public BufferOptions failWhenFull() {
    return blockWhenFull(Duration.ZERO);
  }
}
