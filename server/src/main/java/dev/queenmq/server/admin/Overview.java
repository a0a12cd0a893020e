package dev.queenmq.server.admin;

import dev.queenmq.server.metrics.Throughput;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.util.function.LongSupplier;

/** Everything at once, and how fast it changes. Safe for use by several threads. */
final class Overview {

  private final Throughput ingested = new Throughput();
  private final Throughput processed = new Throughput();
  private final LongSupplier nanoTime;

  Overview(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Makes the page from a row of {@code resources_overview_v1}. */
  JsonObject of(Row row) {
    long now = nanoTime.getAsLong();
    Counters messages =
        new Counters(
            row.getLong("o_total"),
            row.getLong("o_pending"),
            row.getLong("o_processing"),
            row.getLong("o_completed"),
            row.getLong("o_failed"),
            row.getLong("o_dead_letter"));
    return new JsonObject()
        .put(
            "lag",
            new JsonObject()
                .put("offset", lag(row.getArrayOfDoubles("o_offset_lag")))
                .put("time", lag(row.getArrayOfDoubles("o_time_lag"))))
        .put("messages", messages.toJson())
        .put("namespaces", row.getLong("o_namespaces"))
        .put("partitions", row.getLong("o_partitions"))
        .put("queues", row.getLong("o_queues"))
        .put("statsAge", (long) Math.floor(row.getDouble("o_stats_age")))
        .put("tasks", row.getLong("o_tasks"))
        .put(
            "throughput",
            new JsonObject()
                .put("ingestedPerSecond", ingested.perSecond(now, messages.total()))
                .put("processedPerSecond", processed.perSecond(now, messages.completed())))
        .put("timestamp", Moments.text(row.getOffsetDateTime("o_now")));
  }

  private static JsonObject lag(Double[] figures) {
    return new JsonObject()
        .put("avg", Math.round(figures[0]))
        .put("max", Math.round(figures[3]))
        .put("median", Math.round(figures[1]))
        .put("min", Math.round(figures[2]));
  }
}
