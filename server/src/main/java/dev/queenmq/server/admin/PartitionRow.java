package dev.queenmq.server.admin;

import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A partition, as {@code resources_partitions_v1} returns it. */
record PartitionRow(
    UUID id,
    String queue,
    String name,
    OffsetDateTime createdAt,
    Counters counters,
    @Nullable OffsetDateTime oldest,
    @Nullable OffsetDateTime newest,
    long consumed,
    @Nullable OffsetDateTime consumedAt) {

  static PartitionRow of(Row row) {
    return new PartitionRow(
        row.getUUID("partition_id"),
        row.getString("queue"),
        row.getString("partition"),
        row.getOffsetDateTime("created_at"),
        Counters.of(row),
        row.getOffsetDateTime("oldest_at"),
        row.getOffsetDateTime("last_append_at"),
        row.getLong("consumed"),
        row.getOffsetDateTime("last_consumed_at"));
  }

  /** Within its queue. */
  JsonObject toJson() {
    return new JsonObject()
        .put("createdAt", Moments.text(createdAt))
        .put("id", id.toString())
        .put("name", name)
        .put("newestMessage", text(newest))
        .put("oldestMessage", text(oldest))
        .put("stats", counters.toJson());
  }

  /** Where the state of the queue is shown. */
  JsonObject toStatusJson() {
    return toJson()
        .put(
            "cursor",
            // The number of batches is not recorded.
            new JsonObject().putNull("batchesConsumed").put("totalConsumed", consumed))
        .put("lastActivity", text(later(newest, consumedAt)))
        .put("messages", counters.toJson());
  }

  private static @Nullable OffsetDateTime later(
      @Nullable OffsetDateTime a, @Nullable OffsetDateTime b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.isAfter(b) ? a : b;
  }

  /** The partition with the name of its queue, for lists over all queues. */
  JsonObject toJsonWithQueue() {
    return new JsonObject()
        .put("createdAt", Moments.text(createdAt))
        .put("id", id.toString())
        .put("name", name)
        .put("queue", queue)
        .put("stats", counters.toJson());
  }

  private static @Nullable String text(@Nullable OffsetDateTime moment) {
    return moment == null ? null : Moments.text(moment);
  }
}
