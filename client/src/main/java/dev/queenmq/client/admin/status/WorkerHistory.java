package dev.queenmq.client.admin.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.queenmq.client.admin.query.TimeRange;
import java.time.Instant;
import java.util.List;

/**
 * What event loops did over time.
 *
 * @param timeRange of the chart
 * @param bucketMinutes width of its points
 * @param timeSeries the chart, the newest point first
 * @param workers event loops that were heard of lately
 * @param queues from push to delivery, by queue, over the whole range
 * @param summary since the history begins
 */
public record WorkerHistory(
    TimeRange timeRange,
    int bucketMinutes,
    List<Point> timeSeries,
    List<Status.Worker> workers,
    List<Latency> queues,
    Summary summary) {

  /**
   * A point of the chart.
   *
   * @param timestamp when it begins
   * @param pushRequests requests
   * @param pushMessages messages pushed
   * @param pushPerSecond messages pushed
   * @param popRequests requests
   * @param popMessages messages delivered
   * @param popPerSecond messages delivered
   * @param ackRequests requests
   * @param ackMessages messages acked
   * @param ackSuccess of these, {@code completed}
   * @param ackFailed of these, others
   * @param ackPerSecond messages acked
   * @param dlqCount messages given up
   * @param dbErrors failures of PostgreSQL
   * @param lagCount messages that the lag was measured of
   * @param avgLagMs from push to delivery
   * @param maxLagMs from push to delivery
   * @param avgEventLoopLagMs how late event loops ran
   * @param maxEventLoopLagMs how late event loops ran
   * @param avgFreeSlots free connections
   * @param minFreeSlots fewest free connections
   * @param dbConnections connections
   * @param avgJobQueueSize requests that waited
   * @param maxJobQueueSize requests that waited
   * @param backoffSize groups of polls that were backed off
   * @param jobsDone requests of all kinds
   */
  public record Point(
      Instant timestamp,
      long pushRequests,
      long pushMessages,
      double pushPerSecond,
      long popRequests,
      long popMessages,
      double popPerSecond,
      long ackRequests,
      long ackMessages,
      long ackSuccess,
      long ackFailed,
      double ackPerSecond,
      long dlqCount,
      long dbErrors,
      long lagCount,
      long avgLagMs,
      long maxLagMs,
      double avgEventLoopLagMs,
      double maxEventLoopLagMs,
      double avgFreeSlots,
      long minFreeSlots,
      long dbConnections,
      double avgJobQueueSize,
      long maxJobQueueSize,
      long backoffSize,
      long jobsDone) {}

  /**
   * From push to delivery.
   *
   * @param queue of the messages
   * @param deliveries that it was measured of
   * @param avgLagMs the mean
   * @param maxLagMs the longest
   */
  public record Latency(
      @JsonProperty("queueName") String queue,
      @JsonProperty("popCount") long deliveries,
      long avgLagMs,
      long maxLagMs) {}

  /**
   * Sums since the history begins.
   *
   * @param pendingMessages now
   * @param totalPushRequests requests
   * @param totalPushMessages messages pushed
   * @param totalPopRequests requests
   * @param totalPopMessages messages delivered
   * @param totalAckRequests requests
   * @param totalAckMessages messages acked
   * @param totalAckFailed of these, not {@code completed}
   * @param totalDlq messages given up
   * @param totalDbErrors failures of PostgreSQL
   */
  public record Summary(
      long pendingMessages,
      long totalPushRequests,
      long totalPushMessages,
      long totalPopRequests,
      long totalPopMessages,
      long totalAckRequests,
      long totalAckMessages,
      long totalAckFailed,
      long totalDlq,
      long totalDbErrors) {}
}
