package dev.queenmq.server.admin;

import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.time.OffsetDateTime;
import java.util.UUID;

/** A queue and the sums over its partitions, as {@code resources_queues_v1} returns it. */
record QueueRow(
    UUID id,
    String name,
    String namespace,
    String task,
    OffsetDateTime createdAt,
    long partitions,
    long total,
    long pending,
    long processing,
    double statsAge) {

  static QueueRow of(Row row) {
    return new QueueRow(
        row.getUUID("queue_id"),
        row.getString("queue"),
        row.getString("namespace"),
        row.getString("task"),
        row.getOffsetDateTime("created_at"),
        row.getLong("partitions"),
        row.getLong("total"),
        row.getLong("pending"),
        row.getLong("processing"),
        row.getDouble("stats_age"));
  }

  /** In the overall status, {@code pending} counts all messages that are not acked. */
  JsonObject toStatusJson() {
    JsonObject json = toJson();
    json.getJsonObject("messages").put("pending", pending);
    return json;
  }

  /** In a list of queues, {@code pending} leaves out the messages that are leased. */
  JsonObject toJson() {
    return new JsonObject()
        .put("createdAt", Moments.text(createdAt))
        .put("id", id.toString())
        .put(
            "messages",
            new JsonObject()
                .put("pending", Math.max(pending - processing, 0))
                .put("processing", processing)
                .put("total", total))
        .put("name", name)
        .put("namespace", namespace)
        .put("partitions", partitions)
        .put("task", task);
  }
}
