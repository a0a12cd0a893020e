package dev.queenmq.server.admin.history;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Points of charts of queues, as {@code history_queues_v1} returns them. */
final class QueuePoint {
  private record Lag(long count, long sum, long most) {
    Lag plus(Lag other) {
      return new Lag(count + other.count, sum + other.sum, Math.max(most, other.most));
    }

    JsonObject toJson(String queue) {
      return new JsonObject()
          .put("avgLagMs", Mean.whole(sum, count))
          .put("maxLagMs", most)
          .put("popCount", count)
          .put("queueName", queue);
    }
  }

  private QueuePoint() {}

  static JsonObject lag(Row row) {
    return lagOf(row)
        .toJson(row.getString("queue"))
        .put("bucketTime", Texts.bucket(row.getOffsetDateTime("bucket")));
  }

  /** The lag of each queue over all buckets. */
  static JsonArray together(List<Row> rows) {
    Map<String, Lag> queues = new TreeMap<>();
    rows.forEach(row -> queues.merge(row.getString("queue"), lagOf(row), Lag::plus));
    JsonArray array = new JsonArray();
    queues.forEach(
        (queue, lag) -> {
          if (lag.count > 0) {
            array.add(lag.toJson(queue));
          }
        });
    return array;
  }

  private static Lag lagOf(Row row) {
    return new Lag(row.getLong("lag_count"), row.getLong("lag_sum_ms"), row.getLong("lag_max_ms"));
  }

  static JsonObject operations(TimeRange range, Row row) {
    Instant bucket = row.getOffsetDateTime("bucket").toInstant();
    long acked = row.getLong("ack_success") + row.getLong("ack_failed");
    return new JsonObject()
        .put("ackFailed", row.getLong("ack_failed"))
        .put("ackPerSecond", range.perSecond(acked, bucket))
        .put("ackRequests", row.getLong("ack_requests"))
        .put("ackSuccess", row.getLong("ack_success"))
        .put("avgLagMs", Mean.whole(row.getLong("lag_sum_ms"), row.getLong("lag_count")))
        .put("bucket", Texts.bucket(row.getOffsetDateTime("bucket")))
        .put("emptyPerSecond", range.perSecond(row.getLong("pop_empty"), bucket))
        .put("maxLagMs", row.getLong("lag_max_ms"))
        .put("parkedCount", row.getLong("parked"))
        // Not recorded by the minute; the pages of resources show the current number.
        .putNull("partitionCount")
        .put("partitionsCreated", row.getLong("partitions_created"))
        .put("partitionsDeleted", row.getLong("partitions_deleted"))
        .put("popEmpty", row.getLong("pop_empty"))
        .put("popMessages", row.getLong("pop_messages"))
        .put("popPerSecond", range.perSecond(row.getLong("pop_messages"), bucket))
        .put("pushMessages", row.getLong("push_messages"))
        .put("pushPerSecond", range.perSecond(row.getLong("push_messages"), bucket))
        .put("pushRequests", row.getLong("push_requests"))
        .put("queueName", row.getString("queue"))
        .put("transactions", row.getLong("transactions"));
  }
}
