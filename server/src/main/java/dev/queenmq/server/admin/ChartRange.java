package dev.queenmq.server.admin;

import java.time.Duration;
import java.time.Instant;

/** The time range of a chart and the width of its buckets. */
public record ChartRange(Instant from, Instant to) {

  /** The default. */
  public static final Duration USUAL = Duration.ofHours(1);

  /** The width of a bucket, chosen so that a chart has some dozens of points. */
  public int bucketMinutes() {
    Duration length = Duration.between(from, to);
    if (length.compareTo(Duration.ofHours(1)) <= 0) {
      return 1;
    } else if (length.compareTo(Duration.ofHours(6)) <= 0) {
      return 5;
    } else if (length.compareTo(Duration.ofHours(24)) <= 0) {
      return 15;
    } else if (length.compareTo(Duration.ofDays(7)) <= 0) {
      return 60;
    }
    return 360;
  }
}
