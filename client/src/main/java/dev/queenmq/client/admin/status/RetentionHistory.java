package dev.queenmq.client.admin.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.queenmq.client.admin.query.TimeRange;
import java.time.Instant;
import java.util.List;

/**
 * What retention and eviction removed over time.
 *
 * @param timeRange of the chart
 * @param bucketMinutes width of its points
 * @param series the oldest point first; points in which nothing was removed are left out
 * @param totals over the whole range
 */
public record RetentionHistory(
    TimeRange timeRange, int bucketMinutes, List<Point> series, Totals totals) {

  /**
   * A point of the chart.
   *
   * @param timestamp when it begins
   * @param retention messages removed by age
   * @param completedRetention messages removed by age after they were done
   * @param eviction messages that groups lost because they left them waiting
   * @param total the sum of the three
   * @param events transactions that removed something
   */
  public record Point(
      @JsonProperty("bucket") Instant timestamp,
      @JsonProperty("retentionMsgs") long retention,
      @JsonProperty("completedRetentionMsgs") long completedRetention,
      @JsonProperty("evictionMsgs") long eviction,
      @JsonProperty("totalMsgs") long total,
      @JsonProperty("eventCount") long events) {}

  /**
   * Sums.
   *
   * @param retention messages removed by age
   * @param completedRetention messages removed by age after they were done
   * @param eviction messages that groups lost because they left them waiting
   * @param total the sum of the three
   * @param events transactions that removed something
   */
  public record Totals(
      @JsonProperty("retentionMsgs") long retention,
      @JsonProperty("completedRetentionMsgs") long completedRetention,
      @JsonProperty("evictionMsgs") long eviction,
      @JsonProperty("totalMsgs") long total,
      @JsonProperty("eventCount") long events) {}
}
