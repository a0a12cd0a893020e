package dev.queenmq.client.admin.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.queenmq.client.admin.query.TimeRange;
import java.time.Instant;
import java.util.List;

/**
 * How many polls waited over time, by queue and broker.
 *
 * @param timeRange of the chart
 * @param bucketMinutes width of its points
 * @param replicas brokers that are in the chart
 * @param series one point for each time, queue and broker
 */
public record WaitingHistory(
    TimeRange timeRange, int bucketMinutes, List<Replica> replicas, List<Point> series) {

  /**
   * A broker.
   *
   * @param hostname of its machine
   * @param workerId its name
   */
  public record Replica(String hostname, String workerId) {}

  /**
   * A point of the chart.
   *
   * @param timestamp when it begins
   * @param queue that polls waited for
   * @param hostname of the broker's machine
   * @param workerId the broker's name
   * @param waitingPolls the most that waited at the same time
   */
  public record Point(
      @JsonProperty("bucket") Instant timestamp,
      @JsonProperty("queueName") String queue,
      String hostname,
      String workerId,
      @JsonProperty("parkedCount") long waitingPolls) {}
}
