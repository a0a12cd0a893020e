package dev.queenmq.server.admin.history;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * A range of time and the buckets of a chart of it. Buckets start at multiples of their length
 * since midnight UTC, which all lengths divide.
 *
 * @param now by PostgreSQL's clock: what lies behind it has not happened
 */
public record TimeRange(Instant from, Instant to, Instant now) {

  /** The length of the buckets in minutes: few enough of them for a chart. */
  public int bucketMinutes() {
    Duration length = Duration.between(from, to);
    if (length.compareTo(Duration.ofMinutes(60)) <= 0) {
      return 1;
    }
    if (length.compareTo(Duration.ofHours(6)) <= 0) {
      return 5;
    }
    if (length.compareTo(Duration.ofHours(24)) <= 0) {
      return 15;
    }
    return length.compareTo(Duration.ofDays(7)) <= 0 ? 60 : 360;
  }

  /** A count per second: divided by that part of the bucket which lies in the range. */
  double perSecond(long count, Instant bucket) {
    return rounded((double) count / coveredSeconds(bucket));
  }

  /**
   * How much of a bucket lies in the range and in the past. In whole minutes, and one at least,
   * since a minute is counted whole or not at all.
   */
  long coveredSeconds(Instant bucket) {
    Instant begin = from.truncatedTo(ChronoUnit.MINUTES);
    Instant first = bucket.isBefore(begin) ? begin : bucket;
    Instant last = bucket.plus(bucketMinutes(), ChronoUnit.MINUTES);
    last = earlier(earlier(last, nextMinute(to)), nextMinute(now));
    return Math.max(60, Duration.between(first, last).toSeconds());
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private static Instant nextMinute(Instant moment) {
    Instant minute = moment.truncatedTo(ChronoUnit.MINUTES);
    return minute.equals(moment) ? minute : minute.plus(1, ChronoUnit.MINUTES);
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("from", Texts.millis(from.atOffset(ZoneOffset.UTC)))
        .put("to", Texts.millis(to.atOffset(ZoneOffset.UTC)));
  }

  static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
