package dev.queenmq.client.admin.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.queenmq.client.admin.query.TimeRange;
import java.time.Instant;
import java.util.List;

/**
 * What was done with queues over time.
 *
 * @param timeRange of the chart
 * @param bucketMinutes width of its points
 * @param queues that are in the chart
 * @param series the oldest point first, one for each queue
 */
public record QueueHistory(
    TimeRange timeRange, int bucketMinutes, List<String> queues, List<Point> series) {

  /**
   * A point of the chart.
   *
   * @param timestamp when it begins
   * @param queue that it is about
   * @param pushRequests requests
   * @param pushMessages messages pushed
   * @param pushPerSecond messages pushed
   * @param popMessages messages delivered
   * @param popPerSecond messages delivered
   * @param popEmpty pops that got nothing
   * @param emptyPerSecond pops that got nothing
   * @param ackRequests requests
   * @param ackSuccess messages acked {@code completed}
   * @param ackFailed other acks
   * @param ackPerSecond messages acked
   * @param transactions with messages of the queue
   * @param avgLagMs from push to delivery
   * @param maxLagMs from push to delivery
   * @param waitingPolls the most that waited at the same time
   * @param partitionsCreated made
   * @param partitionsDeleted removed
   */
  public record Point(
      @JsonProperty("bucket") Instant timestamp,
      @JsonProperty("queueName") String queue,
      long pushRequests,
      long pushMessages,
      double pushPerSecond,
      long popMessages,
      double popPerSecond,
      long popEmpty,
      double emptyPerSecond,
      long ackRequests,
      long ackSuccess,
      long ackFailed,
      double ackPerSecond,
      long transactions,
      long avgLagMs,
      long maxLagMs,
      @JsonProperty("parkedCount") long waitingPolls,
      long partitionsCreated,
      long partitionsDeleted) {}
}
