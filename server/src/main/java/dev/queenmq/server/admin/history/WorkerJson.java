package dev.queenmq.server.admin.history;

import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;

/** An event loop, as {@code recent_workers_v1} returns it. */
final class WorkerJson {
  private WorkerJson() {}

  /** An event loop in the overall status. */
  static JsonObject brief(Row row) {
    long samples = row.getLong("samples");
    return new JsonObject()
        .put("avgEventLoopLagMs", Mean.of(row.getDouble("loop_delay_sum"), samples))
        .put("dbConnections", row.getInteger("db_connections"))
        .put("freeSlots", Mean.whole(row.getLong("free_slots_sum"), samples))
        .put("hostname", row.getString("hostname"))
        .put("jobQueueSize", Mean.whole(row.getLong("job_queue_sum"), samples))
        .put("maxEventLoopLagMs", TimeRange.rounded(row.getDouble("loop_delay_max")))
        .put("messagesProcessed", processed(row))
        .put("workerId", row.getInteger("worker"));
  }

  /** An event loop in the list of event loops. */
  static JsonObject full(Row row) {
    return brief(row)
        .put("backoffSize", row.getInteger("backoff_size"))
        .put("lastSeen", Texts.millis(row.getOffsetDateTime("last_seen")));
  }

  private static long processed(Row row) {
    return row.getLong("push_messages")
        + row.getLong("pop_messages")
        + row.getLong("ack_success")
        + row.getLong("ack_failed");
  }
}
