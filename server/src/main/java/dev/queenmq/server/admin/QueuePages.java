package dev.queenmq.server.admin;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.function.Function;

/** One queue with partitions of it, as {@code status_queue_v1} returns it. */
final class QueuePages {
  private QueuePages() {}

  static JsonObject resource(Row row, List<PartitionRow> partitions) {
    return named(row)
        .put("createdAt", Moments.text(row.getOffsetDateTime("created_at")))
        .put("partitionCount", row.getLong("partitions"))
        .put("partitions", list(partitions, PartitionRow::toJson))
        .put("totals", totals(row, partitions).toJson());
  }

  static JsonObject status(Row row, List<PartitionRow> partitions) {
    JsonObject totals = totals(row, partitions).toJson();
    return new JsonObject()
        .put("partitionCount", row.getLong("partitions"))
        .put("partitions", list(partitions, PartitionRow::toStatusJson))
        .put(
            "queue",
            named(row)
                .put(
                    "config",
                    new JsonObject()
                        .put("deadLetterQueue", row.getBoolean("dead_letter_queue"))
                        .put("leaseTime", row.getInteger("lease_time"))
                        .put("maxQueueSize", row.getInteger("max_size"))
                        .put("retryDelay", row.getInteger("retry_delay"))
                        .put("retryLimit", row.getInteger("retry_limit"))
                        .put("ttl", row.getInteger("ttl")))
                .put("createdAt", Moments.text(row.getOffsetDateTime("created_at")))
                .put("priority", row.getInteger("priority")))
        .put("totals", totals.copy().put("messages", totals));
  }

  private static JsonObject named(Row row) {
    return new JsonObject()
        .put("id", row.getUUID("queue_id").toString())
        .put("name", row.getString("queue"))
        .put("namespace", row.getString("namespace"))
        .put("task", row.getString("task"));
  }

  private static JsonArray list(
      List<PartitionRow> partitions, Function<PartitionRow, JsonObject> each) {
    return new JsonArray(partitions.stream().map(each).toList());
  }

  /** Those of all partitions: of a queue with more than the page shows, as last summed up. */
  private static Counters totals(Row row, List<PartitionRow> partitions) {
    return partitions.size() < row.getLong("partitions")
        ? Counters.of(row)
        : partitions.stream().map(PartitionRow::counters).reduce(Counters.ZERO, Counters::plus);
  }
}
