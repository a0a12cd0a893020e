package dev.queenmq.client.admin.queues;

import java.time.Instant;

/**
 * Sums over everything.
 *
 * @param queues how many there are
 * @param partitions how many there are
 * @param namespaces how many there are
 * @param tasks how many there are
 * @param messages of all queues
 * @param lag how far groups are behind, by partition
 * @param throughput since the question before
 * @param timestamp when this was worked out
 * @param statsAge how many seconds old the sums over partitions are
 */
public record Overview(
    long queues,
    long partitions,
    long namespaces,
    long tasks,
    MessageCounts messages,
    Lag lag,
    Throughput throughput,
    Instant timestamp,
    long statsAge) {

  /**
   * How far groups are behind.
   *
   * @param time in seconds
   * @param offset in messages
   */
  public record Lag(Spread time, Spread offset) {}

  /**
   * A distribution over partitions.
   *
   * @param avg the mean
   * @param median the middle
   * @param min the least
   * @param max the most
   */
  public record Spread(double avg, double median, double min, double max) {}

  /**
   * How fast messages move.
   *
   * @param ingestedPerSecond pushed
   * @param processedPerSecond done
   */
  public record Throughput(double ingestedPerSecond, double processedPerSecond) {}
}
