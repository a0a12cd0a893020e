package dev.queenmq.server.admin.history;

import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.time.Instant;

/** A point of the chart of event loops, as {@code history_workers_v1} returns it. */
final class WorkerPoint {
  private WorkerPoint() {}

  static JsonObject of(TimeRange range, Row row) {
    Instant bucket = row.getOffsetDateTime("bucket").toInstant();
    long pushed = row.getLong("push_messages");
    long popped = row.getLong("pop_messages");
    long acked = row.getLong("ack_success") + row.getLong("ack_failed");
    long samples = row.getLong("samples");
    return new JsonObject()
        .put("ackFailed", row.getLong("ack_failed"))
        .put("ackMessages", acked)
        .put("ackPerSecond", range.perSecond(acked, bucket))
        .put("ackRequests", row.getLong("ack_requests"))
        .put("ackSuccess", row.getLong("ack_success"))
        .put("avgEventLoopLagMs", Mean.of(row.getDouble("loop_delay_sum"), samples))
        .put("avgFreeSlots", Mean.of(row.getLong("free_slots_sum"), samples))
        .put("avgJobQueueSize", Mean.of(row.getLong("job_queue_sum"), samples))
        .put("avgLagMs", Mean.whole(row.getLong("lag_sum_ms"), row.getLong("lag_count")))
        .put("backoffSize", row.getLong("backoff_size"))
        .put("dbConnections", row.getLong("db_connections"))
        .put("dbErrors", row.getLong("db_errors"))
        .put("dlqCount", row.getLong("dead_letters"))
        .put("jobsDone", row.getLong("jobs_done"))
        .put("lagCount", row.getLong("lag_count"))
        .put("maxEventLoopLagMs", TimeRange.rounded(row.getDouble("loop_delay_max")))
        .put("maxJobQueueSize", row.getLong("job_queue_max"))
        .put("maxLagMs", row.getLong("lag_max_ms"))
        .put("minFreeSlots", row.getLong("free_slots_min"))
        .put("popMessages", popped)
        .put("popPerSecond", range.perSecond(popped, bucket))
        .put("popRequests", row.getLong("pop_requests"))
        .put("pushMessages", pushed)
        .put("pushPerSecond", range.perSecond(pushed, bucket))
        .put("pushRequests", row.getLong("push_requests"))
        .put("timestamp", Texts.bucket(row.getOffsetDateTime("bucket")));
  }
}
