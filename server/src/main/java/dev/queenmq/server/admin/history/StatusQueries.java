package dev.queenmq.server.admin.history;

import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the whole is doing, in the words of the HTTP contract. Safe for use by several threads.
 * Failures are {@link dev.queenmq.server.admin.AdminException}s.
 */
public final class StatusQueries {
  private static final String QUEUES = "select * from queen.resources_queues_v1($1, $2)";
  private static final String OVERVIEW = "select * from queen.resources_overview_v1($1, $2)";
  private static final String LEASES = "select * from queen.status_leases_v1($1)";
  private static final String MESSAGES = "select * from queen.newest_messages_v1($1, $2, $3, $4)";
  private static final int RECENT_SECONDS = 120;

  private final Charts charts;
  private final short shard;
  private final int liveLimit;

  /**
   * Queries through this client.
   *
   * @param liveLimit up to this many partitions and cursors, sums are computed for each request
   */
  public StatusQueries(StoreClient client, short shard, int liveLimit) {
    this.charts = new Charts(client);
    this.shard = shard;
    this.liveLimit = liveLimit;
  }

  /** Everything that fits on a page. */
  public Future<JsonObject> status(TimeRange range, QueueFilter filter) {
    Future<List<Row>> queues = charts.queues(range, range.bucketMinutes(), filter, false);
    Future<List<Row>> workers = charts.workers(range, "", null);
    Future<List<Row>> process = charts.process(range);
    Future<List<Row>> listed = charts.rows(QUEUES, Tuple.of(shard, liveLimit));
    Future<List<Row>> overview = charts.rows(OVERVIEW, Tuple.of(shard, liveLimit));
    Future<List<Row>> leases = charts.rows(LEASES, Tuple.of(shard));
    Future<Row> totals = charts.totals();
    Future<List<Row>> recent = charts.recentWorkers(RECENT_SECONDS);
    return Future.all(List.of(queues, workers, process, listed, overview, leases, totals, recent))
        .map(
            all -> {
              JsonArray throughput =
                  throughput(range, queues.result(), workers.result(), process.result());
              Row sums = overview.result().get(0);
              return new JsonObject()
                  .put("bucketMinutes", range.bucketMinutes())
                  .put("deadLetterQueue", deadLetters(leases.result().get(0)))
                  .put("errors", errors(totals.result()))
                  .put("leases", leases(leases.result().get(0)))
                  .put("messages", messages(sums, totals.result()))
                  .put("pointCount", throughput.size())
                  .put("queues", listed(listed.result(), filter))
                  .put("statsAge", (long) Math.floor(sums.getDouble("o_stats_age")))
                  .put("throughput", throughput)
                  .put("timeRange", range.toJson())
                  .put("workers", workers(recent.result()));
            });
  }

  /** The newest messages of a queue. */
  public Future<JsonArray> messages(String queue, int limit, int offset) {
    return charts
        .rows(MESSAGES, Tuple.of(shard, queue, limit, offset))
        .map(
            rows -> {
              JsonArray messages = new JsonArray();
              for (Row row : rows) {
                String partition = row.getString("partition");
                messages.add(
                    new JsonObject()
                        .put("createdAt", Texts.millis(row.getOffsetDateTime("created_at")))
                        .put("id", row.getUUID("message_id").toString())
                        .put("partition", partition)
                        .put("partitionId", row.getUUID("partition_id").toString())
                        .put("queue", queue)
                        .put("queuePath", queue + "/" + partition)
                        .put("status", row.getString("status"))
                        .put("transactionId", row.getString("transaction_id")));
              }
              return messages;
            });
  }

  /**
   * Messages pushed, by minute, hour or day; 0 where there were none.
   *
   * @param unit of the three
   */
  public Future<JsonObject> analytics(TimeRange range, QueueFilter filter, ChronoUnit unit) {
    int minutes = (int) unit.getDuration().toMinutes();
    return charts
        .queues(range, minutes, filter, false)
        .map(
            rows -> {
              Map<Instant, Long> counts = new HashMap<>();
              rows.forEach(
                  row ->
                      counts.put(
                          row.getOffsetDateTime("bucket").toInstant(),
                          row.getLong("push_messages")));
              JsonArray points = new JsonArray();
              Instant bucket = range.from().truncatedTo(unit);
              while (bucket.isBefore(range.to())) {
                points.add(
                    new JsonObject()
                        .put("messages", counts.getOrDefault(bucket, 0L))
                        .put("timestamp", Texts.bucket(bucket.atOffset(ZoneOffset.UTC))));
                bucket = bucket.plus(Duration.ofMinutes(minutes));
              }
              return range
                  .toJson()
                  .put("dataPoints", points)
                  .put("interval", unit.name().toLowerCase(Locale.ROOT).replace("s", ""));
            });
  }

  private static JsonArray throughput(
      TimeRange range, List<Row> queues, List<Row> workers, List<Row> process) {
    NavigableMap<OffsetDateTime, Point> points = new TreeMap<>();
    queues.forEach(row -> point(points, row).queues = Optional.of(row));
    workers.forEach(row -> point(points, row).workers = Optional.of(row));
    process.forEach(row -> point(points, row).process = Optional.of(row));
    JsonArray array = new JsonArray();
    points.descendingMap().forEach((bucket, point) -> array.add(point.toJson(range, bucket)));
    return array;
  }

  private static Point point(Map<OffsetDateTime, Point> points, Row row) {
    return points.computeIfAbsent(row.getOffsetDateTime("bucket"), bucket -> new Point());
  }

  /** A point of the chart, from what is known of it. */
  private static final class Point {
    Optional<Row> queues = Optional.empty();
    Optional<Row> workers = Optional.empty();
    Optional<Row> process = Optional.empty();

    JsonObject toJson(TimeRange range, OffsetDateTime bucket) {
      Instant start = bucket.toInstant();
      long pushed = number(queues, "push_messages");
      long popped = number(queues, "pop_messages");
      long done = number(queues, "ack_success") + number(queues, "auto_acked");
      long samples = number(workers, "samples");
      return new JsonObject()
          .put("ackFailed", number(queues, "ack_failed"))
          .put(
              "avgEventLoopLagMs",
              workers.map(row -> Mean.of(row.getDouble("loop_delay_sum"), samples)).orElse(0.0))
          .put("avgLagMs", Mean.whole(number(queues, "lag_sum_ms"), number(queues, "lag_count")))
          .put("dbErrors", number(workers, "db_errors"))
          .put("dbPoolActive", system(6, 1))
          .put("dbPoolIdle", system(5, 1))
          .put("dbPoolSize", system(4, 1))
          .put("dlqCount", number(queues, "dead_letters"))
          .put("ingested", pushed)
          .put("ingestedPerSecond", range.perSecond(pushed, start))
          .put(
              "maxEventLoopLagMs",
              workers.map(row -> TimeRange.rounded(row.getDouble("loop_delay_max"))).orElse(0.0))
          .put("maxLagMs", number(queues, "lag_max_ms"))
          .put("minFreeSlots", number(workers, "free_slots_min"))
          .put("popMessages", popped)
          .put("popPerSecond", range.perSecond(popped, start))
          .put("processed", done)
          .put("processedPerSecond", range.perSecond(done, start))
          .put("queenCpuSysPct", system(1, 100))
          .put("queenCpuUserPct", system(0, 100))
          .put("queenRssMb", system(2, 1 << 20))
          .put("timestamp", Texts.bucket(bucket));
    }

    private static long number(Optional<Row> row, String column) {
      return row.map(own -> own.getLong(column)).orElse(0L);
    }

    /** Nothing without a sample. */
    private @Nullable Double system(int measure, double unit) {
      return process
          .map(row -> TimeRange.rounded(row.getArrayOfDoubles("averages")[measure] / unit))
          .orElse(null);
    }
  }

  private static JsonArray listed(List<Row> rows, QueueFilter filter) {
    JsonArray queues = new JsonArray();
    for (Row row : rows) {
      if (row.getLong("total") > 0
          && fits(filter.queue(), row.getString("queue"))
          && fits(filter.namespace(), row.getString("namespace"))
          && fits(filter.task(), row.getString("task"))) {
        queues.add(
            new JsonObject()
                .put("id", row.getUUID("queue_id").toString())
                .put("name", row.getString("queue"))
                .put("namespace", row.getString("namespace"))
                .put("partitions", row.getLong("partitions"))
                .put("task", row.getString("task"))
                .put("totalConsumed", row.getLong("consumed")));
      }
    }
    return queues;
  }

  private static boolean fits(String wanted, String value) {
    return wanted.isEmpty() || wanted.equals(value);
  }

  private static JsonObject messages(Row sums, Row totals) {
    long acks = totals.getLong("ack_success") + totals.getLong("ack_failed");
    return new JsonObject()
        .put(
            "batchEfficiency",
            new JsonObject()
                .put("ack", Mean.of(acks, totals.getLong("ack_requests")))
                .put("pop", Mean.of(totals.getLong("pop_messages"), totals.getLong("pop_requests")))
                .put(
                    "push",
                    Mean.of(totals.getLong("push_messages"), totals.getLong("push_requests"))))
        .put("completed", sums.getLong("o_completed"))
        .put("deadLetter", sums.getLong("o_dead_letter"))
        .put("failed", sums.getLong("o_failed"))
        .put("pending", sums.getLong("o_pending"))
        .put("processing", sums.getLong("o_processing"))
        .put(
            "requests",
            new JsonObject()
                .put("ack", totals.getLong("ack_requests"))
                .put("pop", totals.getLong("pop_requests"))
                .put("push", totals.getLong("push_requests")))
        .put("total", sums.getLong("o_total"));
  }

  private static JsonObject leases(Row row) {
    return new JsonObject()
        .put("active", row.getLong("o_leases"))
        .put("partitionsWithLeases", row.getLong("o_leased_partitions"))
        .put("totalAcked", row.getLong("o_acked"))
        .put("totalBatchSize", row.getLong("o_leased"));
  }

  private static JsonObject deadLetters(Row row) {
    String[] errors = row.getArrayOfStrings("o_errors");
    Long[] counts = row.getArrayOfLongs("o_error_counts");
    JsonArray top = new JsonArray();
    for (int i = 0; i < errors.length; i++) {
      top.add(new JsonObject().put("count", counts[i]).put("error", errors[i]));
    }
    return new JsonObject()
        .put("affectedPartitions", row.getLong("o_dead_partitions"))
        .put("topErrors", top)
        .put("totalMessages", row.getLong("o_dead"));
  }

  private static JsonObject errors(Row totals) {
    return new JsonObject()
        .put("ackFailed", totals.getLong("ack_failed"))
        .put("dbErrors", totals.getLong("db_errors"))
        .put("dlqMessages", totals.getLong("dead_letters"));
  }

  private static JsonArray workers(List<Row> rows) {
    JsonArray workers = new JsonArray();
    rows.forEach(row -> workers.add(WorkerJson.brief(row)));
    return workers;
  }
}
