package dev.queenmq.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How to pop. Immutable; begin with {@link #batch}. */
public final class PopOptions {
  private final int batch;
  private final int partitions;
  private final Duration wait;
  private final boolean autoAck;
  private final @Nullable StartAt startAt;

  private PopOptions(
      int batch, int partitions, Duration wait, boolean autoAck, @Nullable StartAt startAt) {
    this.batch = batch;
    this.partitions = partitions;
    this.wait = wait;
    this.autoAck = autoAck;
    this.startAt = startAt;
  }

  /**
   * At most this many messages of one partition, without waiting.
   *
   * @param messages 1 to 10,000
   * @return options
   */
  public static PopOptions batch(int messages) {
    return new PopOptions(positive(messages), 1, Duration.ZERO, false, null);
  }

  /**
   * Messages of several partitions in one pop.
   *
   * @param most partitions
   * @return changed options
   */
  public PopOptions partitions(int most) {
    return new PopOptions(batch, positive(most), wait, autoAck, startAt);
  }

  /**
   * Waits for messages if there are none.
   *
   * @param most how long, up to two minutes
   * @return changed options
   */
  public PopOptions waitUpTo(Duration most) {
    return new PopOptions(batch, partitions, RetryPolicy.capped(most), autoAck, startAt);
  }

  /**
   * Takes the messages as done when they are handed out: they are delivered at most once, and are
   * lost if you fail.
   *
   * @return changed options
   */
  public PopOptions atMostOnce() {
    return new PopOptions(batch, partitions, wait, true, startAt);
  }

  /**
   * Where the group starts at its first contact.
   *
   * @param start for named groups
   * @return changed options
   */
  public PopOptions startAt(StartAt start) {
    return new PopOptions(batch, partitions, wait, autoAck, start);
  }

  int messages() {
    return batch;
  }

  int maxPartitions() {
    return partitions;
  }

  Duration longestWait() {
    return wait;
  }

  boolean isAutoAck() {
    return autoAck;
  }

  @Nullable StartAt start() {
    return startAt;
  }

  private static int positive(int number) {
    if (number < 1 || number > 10_000) {
      throw new IllegalArgumentException(number + " is not between 1 and 10000");
    }
    return number;
  }
}
