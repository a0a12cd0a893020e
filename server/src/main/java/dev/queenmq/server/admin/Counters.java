package dev.queenmq.server.admin;

import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;

/**
 * The six counters of a partition or a queue.
 *
 * @param failed is not counted where partitions are shown, and 0 there
 */
record Counters(
    long total, long pending, long processing, long completed, long failed, long deadLetter) {

  static final Counters ZERO = new Counters(0, 0, 0, 0, 0, 0);

  static Counters of(Row row) {
    return new Counters(
        row.getLong("total"),
        row.getLong("pending"),
        row.getLong("processing"),
        row.getLong("completed"),
        0,
        row.getLong("dead_letter"));
  }

  Counters plus(Counters other) {
    return new Counters(
        total + other.total,
        pending + other.pending,
        processing + other.processing,
        completed + other.completed,
        failed + other.failed,
        deadLetter + other.deadLetter);
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("completed", completed)
        .put("deadLetter", deadLetter)
        .put("failed", failed)
        .put("pending", pending)
        .put("processing", processing)
        .put("total", total);
  }
}
