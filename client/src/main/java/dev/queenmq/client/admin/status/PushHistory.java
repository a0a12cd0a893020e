package dev.queenmq.client.admin.status;

import java.time.Instant;
import java.util.List;

/**
 * How many messages were pushed over time.
 *
 * @param dataPoints the oldest first; also where there were none
 * @param interval {@code minute}, {@code hour} or {@code day}
 * @param from when the chart begins
 * @param to when the chart ends
 */
public record PushHistory(List<Point> dataPoints, String interval, Instant from, Instant to) {

  /** The width of a point. */
  public enum Interval {
    /** A minute. */
    MINUTE,
    /** An hour. */
    HOUR,
    /** A day. */
    DAY
  }

  /**
   * A point of the chart.
   *
   * @param timestamp when it begins
   * @param messages pushed
   */
  public record Point(Instant timestamp, long messages) {}
}
