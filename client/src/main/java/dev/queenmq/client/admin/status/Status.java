package dev.queenmq.client.admin.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.queenmq.client.admin.query.TimeRange;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything on one page: a chart, counters, leases, dead letters and event loops.
 *
 * @param timeRange of the chart
 * @param bucketMinutes width of its points
 * @param throughput the chart, the newest point first
 * @param queues that messages were ever pushed to
 * @param messages counted over all queues
 * @param leases that are live
 * @param deadLetters counted over all queues
 * @param workers event loops that were heard of lately
 * @param errors counted since the history begins
 * @param statsAge how many seconds old the sums over partitions are
 */
public record Status(
    TimeRange timeRange,
    int bucketMinutes,
    List<Point> throughput,
    List<Queue> queues,
    Messages messages,
    Leases leases,
    @JsonProperty("deadLetterQueue") DeadLetters deadLetters,
    List<Worker> workers,
    Errors errors,
    long statsAge) {

  /**
   * A point of the chart.
   *
   * @param timestamp when it begins
   * @param ingested messages pushed
   * @param ingestedPerSecond messages pushed
   * @param popMessages messages delivered
   * @param popPerSecond messages delivered
   * @param processed messages done
   * @param processedPerSecond messages done
   * @param ackFailed acks that were not {@code completed}
   * @param dlqCount messages given up
   * @param avgLagMs from push to delivery
   * @param maxLagMs from push to delivery
   * @param dbErrors failures of PostgreSQL
   * @param avgEventLoopLagMs how late event loops ran
   * @param maxEventLoopLagMs how late event loops ran
   * @param minFreeSlots fewest free connections
   * @param dbPoolSize connections; null without a sample, like all that follow
   * @param dbPoolIdle free connections
   * @param dbPoolActive connections at work
   * @param queenCpuUserPct percent of one core
   * @param queenCpuSysPct percent of one core
   * @param queenRssMb memory of the processes in MiB
   */
  public record Point(
      Instant timestamp,
      long ingested,
      double ingestedPerSecond,
      long popMessages,
      double popPerSecond,
      long processed,
      double processedPerSecond,
      long ackFailed,
      long dlqCount,
      long avgLagMs,
      long maxLagMs,
      long dbErrors,
      double avgEventLoopLagMs,
      double maxEventLoopLagMs,
      long minFreeSlots,
      @Nullable Double dbPoolSize,
      @Nullable Double dbPoolIdle,
      @Nullable Double dbPoolActive,
      @Nullable Double queenCpuUserPct,
      @Nullable Double queenCpuSysPct,
      @Nullable Double queenRssMb) {}

  /**
   * A queue in short.
   *
   * @param id of the queue
   * @param name of the queue
   * @param namespace a label; empty if it has none
   * @param task a label; empty if it has none
   * @param partitions how many it has
   * @param totalConsumed messages done, over all groups
   */
  public record Queue(
      UUID id, String name, String namespace, String task, long partitions, long totalConsumed) {}

  /**
   * Messages over all queues.
   *
   * @param total ever pushed
   * @param pending stored and not done, leased ones among them
   * @param processing leased and not done
   * @param completed neither pending nor dead
   * @param failed failures that were counted
   * @param deadLetter given up
   * @param batchEfficiency messages of a request
   * @param requests how many there were
   */
  public record Messages(
      long total,
      long pending,
      long processing,
      long completed,
      long failed,
      long deadLetter,
      Operations batchEfficiency,
      Operations requests) {}

  /**
   * A figure by operation.
   *
   * @param push of pushes
   * @param pop of pops
   * @param ack of acks
   */
  public record Operations(double push, double pop, double ack) {}

  /**
   * Leases over all queues.
   *
   * @param active how many are live
   * @param partitionsWithLeases how many partitions they hold
   * @param totalBatchSize messages that they cover
   * @param totalAcked how many of these are acked
   */
  public record Leases(
      long active, long partitionsWithLeases, long totalBatchSize, long totalAcked) {}

  /**
   * Dead letters over all queues.
   *
   * @param totalMessages how many there are
   * @param affectedPartitions in how many partitions
   * @param topErrors the most frequent errors
   */
  public record DeadLetters(
      long totalMessages, long affectedPartitions, List<ErrorCount> topErrors) {}

  /**
   * An error of dead letters.
   *
   * @param error its text
   * @param count how many have it
   */
  public record ErrorCount(@Nullable String error, long count) {}

  /**
   * An event loop of a broker.
   *
   * @param hostname of the broker
   * @param workerId its number there
   * @param avgEventLoopLagMs how late it ran
   * @param maxEventLoopLagMs how late it ran
   * @param freeSlots connections that were free
   * @param dbConnections connections that it has
   * @param jobQueueSize requests that waited
   * @param messagesProcessed pushed, delivered and acked
   * @param backoffSize groups of polls that are backed off; 0 where the broker does not report it
   * @param lastSeen when it last reported; null where the broker does not report it
   */
  public record Worker(
      String hostname,
      int workerId,
      double avgEventLoopLagMs,
      double maxEventLoopLagMs,
      long freeSlots,
      int dbConnections,
      long jobQueueSize,
      long messagesProcessed,
      int backoffSize,
      @Nullable Instant lastSeen) {}

  /**
   * What went wrong.
   *
   * @param dbErrors failures of PostgreSQL
   * @param ackFailed acks that were not {@code completed}
   * @param dlqMessages messages given up
   */
  public record Errors(long dbErrors, long ackFailed, long dlqMessages) {}
}
