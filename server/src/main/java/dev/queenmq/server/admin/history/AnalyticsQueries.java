package dev.queenmq.server.admin.history;

import dev.queenmq.server.metrics.SystemMeasure;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Charts of what brokers did, in the words of the HTTP contract. Safe for use by several threads.
 * Failures are {@link dev.queenmq.server.admin.AdminException}s.
 */
public final class AnalyticsQueries {
  private static final String POSTGRES = "select queen.postgres_statistics_v1()";
  private static final String OVERVIEW = "select * from queen.resources_overview_v1($1, $2)";
  private static final int RECENT_SECONDS = 300;

  /** Buckets of a day: few, and summed up afterwards. */
  private static final int TOGETHER_MINUTES = 1_440;

  private final Charts charts;
  private final short shard;
  private final int liveLimit;

  /**
   * Queries through this client.
   *
   * @param liveLimit up to this many partitions and cursors, sums are computed for each request
   */
  public AnalyticsQueries(StoreClient client, short shard, int liveLimit) {
    this.charts = new Charts(client);
    this.shard = shard;
    this.liveLimit = liveLimit;
  }

  /** CPU time and memory of the brokers. An empty text stands for any. */
  public Future<JsonObject> system(TimeRange range, String hostname, String name) {
    return charts
        .system(range, hostname, name)
        .map(
            rows -> {
              JsonArray replicas = new JsonArray();
              JsonObject last = new JsonObject();
              for (Row row : rows) {
                if (!isOf(last, row)) {
                  last =
                      new JsonObject()
                          .put("hostname", row.getString("hostname"))
                          .put("port", row.getInteger("port"))
                          .put("timeSeries", new JsonArray())
                          .put("workerId", row.getString("name"));
                  replicas.add(last);
                }
                last.getJsonArray("timeSeries").add(point(row));
              }
              return head(range)
                  .put(
                      "pointCount",
                      rows.stream().map(row -> row.getOffsetDateTime("bucket")).distinct().count())
                  .put("replicaCount", replicas.size())
                  .put("replicas", replicas);
            });
  }

  /** What event loops did. */
  public Future<JsonObject> workers(TimeRange range, String hostname, OptionalInt worker) {
    Future<List<Row>> buckets =
        charts.workers(range, hostname, worker.isPresent() ? worker.getAsInt() : null);
    Future<List<Row>> recent = charts.recentWorkers(RECENT_SECONDS);
    Future<List<Row>> queues =
        charts.queues(range, TOGETHER_MINUTES, new QueueFilter("", "", ""), true);
    Future<Row> totals = charts.totals();
    Future<List<Row>> overview = charts.rows(OVERVIEW, Tuple.of(shard, liveLimit));
    return Future.all(buckets, recent, queues, totals, overview)
        .map(
            all -> {
              JsonArray series = new JsonArray();
              for (int i = buckets.result().size() - 1; i >= 0; i--) {
                series.add(WorkerPoint.of(range, buckets.result().get(i)));
              }
              JsonArray workers = new JsonArray();
              recent.result().stream()
                  .filter(row -> hostname.isEmpty() || hostname.equals(row.getString("hostname")))
                  .filter(row -> worker.isEmpty() || worker.getAsInt() == row.getInteger("worker"))
                  .forEach(row -> workers.add(WorkerJson.full(row)));
              return head(range)
                  .put("pointCount", series.size())
                  .put("queues", QueuePoint.together(queues.result()))
                  .put("summary", summary(totals.result(), overview.result().get(0)))
                  .put("timeSeries", series)
                  .put("workers", workers);
            });
  }

  /** From push to pop, by queue and minute, the newest first. */
  public Future<JsonArray> lag(TimeRange range, String queue) {
    return charts
        .queues(range, 1, new QueueFilter(queue, "", ""), true)
        .map(
            rows -> {
              JsonArray array = new JsonArray();
              for (int i = rows.size() - 1; i >= 0; i--) {
                if (rows.get(i).getLong("lag_count") > 0) {
                  array.add(QueuePoint.lag(rows.get(i)));
                }
              }
              return array;
            });
  }

  /** What was done with queues. */
  public Future<JsonObject> operations(TimeRange range, String queue) {
    return charts
        .queues(range, range.bucketMinutes(), new QueueFilter(queue, "", ""), true)
        .map(
            rows -> {
              JsonArray series = new JsonArray();
              Set<String> names = new TreeSet<>();
              for (Row row : rows) {
                series.add(QueuePoint.operations(range, row));
                names.add(row.getString("queue"));
              }
              return head(range)
                  .put("queues", new JsonArray(List.copyOf(names)))
                  .put("series", series);
            });
  }

  /** How many polls waited, by queue and broker. */
  public Future<JsonObject> parked(TimeRange range, String queue) {
    return charts
        .parked(range, queue)
        .map(
            rows -> {
              JsonArray series = new JsonArray();
              Set<JsonObject> replicas = new LinkedHashSet<>();
              for (Row row : rows) {
                String hostname = row.getString("hostname");
                String name = row.getString("name");
                series.add(
                    new JsonObject()
                        .put("bucket", Texts.bucket(row.getOffsetDateTime("bucket")))
                        .put("hostname", hostname)
                        .put("parkedCount", row.getLong("parked"))
                        .put("queueName", row.getString("queue"))
                        .put("workerId", name));
                replicas.add(new JsonObject().put("hostname", hostname).put("workerId", name));
              }
              return head(range)
                  .put("replicas", new JsonArray(List.copyOf(replicas)))
                  .put("series", series);
            });
  }

  /** The statistics of PostgreSQL itself. */
  public Future<JsonObject> postgres() {
    return charts
        .rows(POSTGRES, Tuple.tuple())
        .map(rows -> new JsonObject(rows.get(0).getString(0)));
  }

  private static JsonObject head(TimeRange range) {
    return new JsonObject()
        .put("bucketMinutes", range.bucketMinutes())
        .put("timeRange", range.toJson());
  }

  private static boolean isOf(JsonObject replica, Row row) {
    return row.getString("hostname").equals(replica.getString("hostname"))
        && row.getInteger("port").equals(replica.getInteger("port"))
        && row.getString("name").equals(replica.getString("workerId"));
  }

  private static JsonObject point(Row row) {
    JsonObject metrics = new JsonObject();
    for (SystemMeasure measure : SystemMeasure.values()) {
      JsonObject group = metrics;
      for (String part : measure.group().split("\\.", -1)) {
        if (!group.containsKey(part)) {
          group.put(part, new JsonObject());
        }
        group = group.getJsonObject(part);
      }
      int i = measure.place();
      group.put(
          measure.key(),
          new JsonObject()
              .put("avg", TimeRange.rounded(row.getArrayOfDoubles("averages")[i]))
              .put("last", TimeRange.rounded(row.getArrayOfDoubles("last")[i]))
              .put("max", TimeRange.rounded(row.getArrayOfDoubles("highs")[i]))
              .put("min", TimeRange.rounded(row.getArrayOfDoubles("lows")[i])));
    }
    return new JsonObject()
        .put("metrics", metrics.put("shared_state", new JsonObject(row.getString("shared_state"))))
        .put("sampleCount", row.getLong("samples"))
        .put("timestamp", Texts.bucket(row.getOffsetDateTime("bucket")));
  }

  private static JsonObject summary(Row totals, Row overview) {
    return new JsonObject()
        .put("pendingMessages", overview.getLong("o_pending"))
        .put("totalAckFailed", totals.getLong("ack_failed"))
        .put("totalAckMessages", totals.getLong("ack_success") + totals.getLong("ack_failed"))
        .put("totalAckRequests", totals.getLong("ack_requests"))
        .put("totalDbErrors", totals.getLong("db_errors"))
        .put("totalDlq", totals.getLong("dead_letters"))
        .put("totalPopMessages", totals.getLong("pop_messages"))
        .put("totalPopRequests", totals.getLong("pop_requests"))
        .put("totalPushMessages", totals.getLong("push_messages"))
        .put("totalPushRequests", totals.getLong("push_requests"));
  }
}
