package dev.queenmq.server.admin.history;

import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the pages of the dashboard show: pages of lists, found and sorted by PostgreSQL, so that a
 * browser never gets more than it can show. Safe for use by several threads. Failures are {@link
 * dev.queenmq.server.admin.AdminException}s.
 */
public final class DashboardQueries {
  private static final String QUEUES =
      "select * from queen.dashboard_queues_v1($1, $2, $3, $4, $5, $6, $7, $8)";
  private static final String GROUPS =
      "select * from queen.dashboard_groups_v1($1, $2, $3, $4, $5, $6, $7, $8, $9)";
  private static final String LANES = "select * from queen.dashboard_lanes_v1($1, $2, $3, $4, $5)";
  private static final String LAGGING =
      "select * from queen.dashboard_lagging_v1($1, $2, $3, $4, $5, $6)";
  private static final String LETTERS =
      "select * from queen.dashboard_dead_letters_v1($1, $2, $3, $4, $5, $6)";
  private static final String ERRORS = "select * from queen.dashboard_errors_v1($1, $2, $3)";
  private static final String DEAD = "select * from queen.dead_by_queue_v1($1, $2)";

  /** As many dead letters dashboard_errors_v1 looks at. */
  private static final int MOST_LETTERS = 10_000;

  private static final String STREAMS = "select * from queen.dashboard_streams_v1($1, $2, $3, $4)";
  private static final String STREAM_LANES =
      "select * from queen.dashboard_stream_lanes_v1($1, $2, $3, $4)";
  private static final String BROKERS = "select * from queen.dashboard_brokers_v1($1)";
  private static final String OVERVIEW = "select * from queen.resources_overview_v1($1, $2)";
  private static final String LEASES = "select * from queen.status_leases_v1($1)";
  private static final String SETTINGS = "select * from queen.queue_settings_v1($1)";
  private static final String PAUSES = "select * from queen.pauses_v1($1)";

  /** Rows of the short lists on a page that is about something else. */
  private static final int FEW = 8;

  private static final int GROUPS_OF_A_QUEUE = 50;

  /**
   * A page of a list.
   *
   * @param search what names contain; empty for any
   * @param sort the column
   */
  public record Listing(String search, String sort, boolean descending, int limit, int offset) {}

  private final Charts charts;
  private final short shard;
  private final int liveLimit;

  /**
   * Queries through this client.
   *
   * @param client best not the one that carries messages: an answer may take a while
   * @param liveLimit up to this many partitions and cursors, sums are computed for each request
   */
  public DashboardQueries(StoreClient client, short shard, int liveLimit) {
    this.charts = new Charts(client);
    this.shard = shard;
    this.liveLimit = liveLimit;
  }

  /** The state of everything, without history. */
  public Future<JsonObject> overview() {
    Future<List<Row>> sums = charts.rows(OVERVIEW, Tuple.of(shard, liveLimit));
    Future<List<Row>> leases = charts.rows(LEASES, Tuple.of(shard));
    Future<JsonObject> queues = queues(new Listing("", "pending", true, FEW, 0));
    Future<JsonObject> groups = groups("", "", new Listing("", "age", true, FEW, 0));
    Future<JsonObject> brokers = brokers();
    return Future.all(sums, leases, queues, groups, brokers)
        .map(
            all ->
                sums(sums.result().get(0), leases.result().get(0))
                    .put("topQueues", queues.result().getJsonArray("queues"))
                    .put("topGroups", groups.result().getJsonArray("groups"))
                    .put("brokers", brokers.result()));
  }

  private static JsonObject sums(Row row, Row leases) {
    return new JsonObject()
        .put("queues", row.getLong("o_queues"))
        .put("partitions", row.getLong("o_partitions"))
        .put("total", row.getLong("o_total"))
        .put("pending", row.getLong("o_pending"))
        .put("processing", row.getLong("o_processing"))
        .put("completed", row.getLong("o_completed"))
        .put("failed", row.getLong("o_failed"))
        .put("deadLetters", leases.getLong("o_dead"))
        .put("leases", leases.getLong("o_leases"))
        .put("oldestSeconds", Math.round(row.getArrayOfDoubles("o_time_lag")[3]))
        .put("at", Texts.millis(row.getOffsetDateTime("o_now")))
        .put("statsAge", TimeRange.rounded(row.getDouble("o_stats_age")));
  }

  /** The brokers that use this database, and how many of them are up. */
  public Future<JsonObject> brokers() {
    return charts
        .rows(BROKERS, Tuple.of(shard))
        .map(
            rows ->
                new JsonObject()
                    .put("living", rows.get(0).getLong("living"))
                    .put("list", list(rows, "name", DashboardQueries::broker)));
  }

  private static JsonObject broker(Row row) {
    return new JsonObject()
        .put("name", row.getString("name"))
        .put("hostname", row.getString("hostname"))
        .put("port", row.getInteger("port"))
        .put("pid", row.getLong("pid"))
        .put("alive", row.getBoolean("alive"))
        .put("seenAt", time(row, "seen_at"))
        .put("pushed", row.getLong("push_messages"))
        .put("popped", row.getLong("pop_messages"))
        .put("acked", row.getLong("ack_success"))
        .put("failed", row.getLong("ack_failed"))
        .put("databaseErrors", row.getLong("db_errors"));
  }

  /** What brokers wrote down, oldest first; an empty name stands for all queues. */
  public Future<JsonObject> history(TimeRange range, String queue) {
    QueueFilter filter = new QueueFilter(queue, "", "");
    return charts
        .queues(range, range.bucketMinutes(), filter, false)
        .map(
            rows -> {
              JsonArray points = new JsonArray();
              rows.forEach(row -> points.add(point(row)));
              return range
                  .toJson()
                  .put("bucketMinutes", range.bucketMinutes())
                  .put("points", points);
            });
  }

  private static JsonObject point(Row row) {
    return new JsonObject()
        .put("at", Texts.bucket(row.getOffsetDateTime("bucket")))
        .put("pushed", row.getLong("push_messages"))
        .put("popped", row.getLong("pop_messages"))
        .put("done", row.getLong("ack_success") + row.getLong("auto_acked"))
        .put("failed", row.getLong("ack_failed"))
        .put("deadLetters", row.getLong("dead_letters"))
        .put("parked", row.getLong("parked"))
        .put("lagMs", Mean.whole(row.getLong("lag_sum_ms"), row.getLong("lag_count")))
        .put("maxLagMs", row.getLong("lag_max_ms"));
  }

  /** A page of queues. */
  public Future<JsonObject> queues(Listing listing) {
    return queueRows("", listing)
        .map(rows -> listed("queues", rows, "queue", DashboardQueries::queue));
  }

  private Future<List<Row>> queueRows(String queue, Listing listing) {
    return charts.rows(
        QUEUES,
        Tuple.of(shard, liveLimit)
            .addString(QueueFilter.nullable(queue))
            .addString(QueueFilter.nullable(listing.search))
            .addString(listing.sort)
            .addBoolean(listing.descending)
            .addInteger(listing.limit)
            .addInteger(listing.offset));
  }

  private static JsonObject queue(Row row) {
    return new JsonObject()
        .put("name", row.getString("queue"))
        .put("namespace", row.getString("namespace"))
        .put("task", row.getString("task"))
        .put("createdAt", time(row, "created_at"))
        .put("partitions", row.getLong("partitions"))
        .put("total", row.getLong("total"))
        .put("pending", row.getLong("pending"))
        .put("processing", row.getLong("processing"))
        .put("deadLetters", row.getLong("dead"))
        .put("pushedLastMinute", row.getLong("pushed"))
        .put("poppedLastMinute", row.getLong("popped"))
        .put("paused", row.getBoolean("paused"))
        .put("statsAge", TimeRange.rounded(row.getDouble("stats_age")));
  }

  /** One queue with its options in force, its groups and what is paused; empty if there is none. */
  public Future<Optional<JsonObject>> queue(String name) {
    Future<List<Row>> found = queueRows(name, new Listing("", "name", false, 1, 0));
    Future<List<Row>> settings =
        charts.rows(SETTINGS, Tuple.tuple().addArrayOfString(new String[] {name}));
    Future<JsonObject> groups =
        groups(name, "", new Listing("", "lag", true, GROUPS_OF_A_QUEUE, 0));
    Future<List<Row>> pauses = charts.rows(PAUSES, Tuple.tuple().addString(name));
    return Future.all(found, settings, groups, pauses)
        .map(
            all -> {
              Row row = found.result().get(0);
              if (row.getString("queue") == null || settings.result().isEmpty()) {
                return Optional.empty();
              }
              JsonObject options =
                  QueueOptions.of(settings.result().get(0).getJsonObject("options")).inForce();
              return Optional.of(
                  queue(row)
                      .put("options", options)
                      .put("groups", groups.result().getJsonArray("groups"))
                      .put("groupCount", groups.result().getLong("matched"))
                      .put("pauses", list(pauses.result(), "queue", DashboardQueries::pause)));
            });
  }

  private static JsonObject pause(Row row) {
    return new JsonObject()
        .put("consumerGroup", row.getString("consumer_group"))
        .put("by", row.getString("paused_by"))
        .put("since", time(row, "since"));
  }

  /** A page of groups; an empty queue or group stands for any. */
  public Future<JsonObject> groups(String queue, String group, Listing listing) {
    return charts
        .rows(
            GROUPS,
            Tuple.of(shard, liveLimit)
                .addString(QueueFilter.nullable(queue))
                .addString(QueueFilter.nullable(group))
                .addString(QueueFilter.nullable(listing.search))
                .addString(listing.sort)
                .addBoolean(listing.descending)
                .addInteger(listing.limit)
                .addInteger(listing.offset))
        .map(rows -> listed("groups", rows, "consumer_group", DashboardQueries::group));
  }

  private static JsonObject group(Row row) {
    return new JsonObject()
        .put("name", row.getString("consumer_group"))
        .put("queue", row.getString("queue"))
        .put("partitions", row.getLong("opened"))
        .put("leases", row.getLong("leased"))
        .put("laggingPartitions", row.getLong("lagging"))
        .put("lag", row.getLong("lag"))
        .put("oldestSeconds", row.getLong("time_lag"))
        .put("consumed", row.getBoolean("consumed"))
        .put("subscriptionMode", row.getString("mode"))
        .put("subscriptionTimestamp", time(row, "started_at"))
        .put("subscribedAt", time(row, "subscribed_at"))
        .put("paused", row.getBoolean("paused"))
        .put("queuePaused", row.getBoolean("queue_paused"))
        .put("statsAge", TimeRange.rounded(row.getDouble("stats_age")));
  }

  /** A page of the partitions of a queue, by name; empty if there is no such queue. */
  public Future<Optional<JsonObject>> lanes(String queue, String prefix, int limit, int offset) {
    return charts
        .rows(
            LANES,
            Tuple.of(shard).addString(queue).addString(prefix).addValue(limit).addValue(offset))
        .map(
            rows ->
                rows.isEmpty()
                    ? Optional.empty()
                    : Optional.of(listed("lanes", rows, "partition", DashboardQueries::lane)));
  }

  private static JsonObject lane(Row row) {
    return new JsonObject()
        .put("partitionId", row.getUUID("partition_id").toString())
        .put("partition", row.getString("partition"))
        .put("createdAt", time(row, "created_at"))
        .put("lastPushAt", time(row, "last_append_at"))
        .put("total", row.getLong("total"))
        .put("pending", row.getLong("pending"))
        .put("processing", row.getLong("processing"))
        .put("deadLetters", row.getLong("dead_letter"))
        .put("oldestAt", time(row, "oldest_at"))
        .put("lastConsumedAt", time(row, "last_consumed_at"));
  }

  /** A page of lanes in which groups are behind, the oldest message first. */
  public Future<JsonObject> lagging(String queue, String group, int limit, int offset) {
    return charts
        .rows(
            LAGGING,
            Tuple.of(shard, liveLimit)
                .addString(QueueFilter.nullable(queue))
                .addString(QueueFilter.nullable(group))
                .addInteger(limit)
                .addInteger(offset))
        .map(
            rows ->
                new JsonObject()
                    .put("lanes", list(rows, "partition", DashboardQueries::laggingLane)));
  }

  private static JsonObject laggingLane(Row row) {
    @Nullable UUID lease = row.getUUID("lease_id");
    return new JsonObject()
        .put("queue", row.getString("queue"))
        .put("partition", row.getString("partition"))
        .put("partitionId", row.getUUID("partition_id").toString())
        .put("consumerGroup", row.getString("consumer_group"))
        .put("lag", row.getLong("lag"))
        .put("oldestAt", time(row, "oldest_at"))
        .put("lastConsumedAt", time(row, "last_consumed_at"))
        .put("leaseId", lease == null ? null : lease.toString());
  }

  /** Dead letters by queue, group and error; an empty queue stands for all. */
  public Future<JsonObject> errors(String queue, int limit) {
    Future<List<Row>> errors =
        charts.rows(
            ERRORS, Tuple.of(shard).addString(QueueFilter.nullable(queue)).addInteger(limit));
    Future<List<Row>> dead = charts.rows(DEAD, Tuple.of(shard, limit));
    return Future.all(errors, dead)
        .map(
            both -> {
              long lookedAt = errors.result().get(0).getLong("looked_at");
              JsonObject answer =
                  new JsonObject()
                      .put("lookedAt", lookedAt)
                      .put("errors", list(errors.result(), "queue", DashboardQueries::error));
              // For one queue, the totals of all queues are left out. If all letters were looked
              // at, their number is that of this moment; the sums are older.
              return queue.isEmpty()
                  ? answer
                      .put(
                          "total",
                          lookedAt < MOST_LETTERS
                              ? lookedAt
                              : dead.result().get(0).getLong("total"))
                      .put("queues", list(dead.result(), "queue", DashboardQueries::deadQueue))
                  : answer;
            });
  }

  private static JsonObject error(Row row) {
    return new JsonObject()
        .put("queue", row.getString("queue"))
        .put("consumerGroup", row.getString("consumer_group"))
        .put("error", row.getString("error_message"))
        .put("count", row.getLong("letters"))
        .put("firstAt", time(row, "first_at"))
        .put("lastAt", time(row, "last_at"));
  }

  private static JsonObject deadQueue(Row row) {
    return new JsonObject().put("name", row.getString("queue")).put("count", row.getLong("dead"));
  }

  /**
   * A page of the dead letters of a queue without their payloads; empty if there is no such queue.
   *
   * @param error absent: with any; empty: without one
   */
  public Future<Optional<JsonObject>> deadLetters(
      String queue, Optional<String> error, String group, int limit, int offset) {
    return charts
        .rows(
            LETTERS,
            Tuple.of(shard)
                .addString(queue)
                .addString(error.orElse(null))
                .addString(QueueFilter.nullable(group))
                .addInteger(limit)
                .addInteger(offset))
        .map(
            rows ->
                rows.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                        listed("letters", rows, "transaction_id", DashboardQueries::letter)));
  }

  private static JsonObject letter(Row row) {
    return new JsonObject()
        .put("messageId", row.getUUID("message_id").toString())
        .put("transactionId", row.getString("transaction_id"))
        .put("partitionId", row.getUUID("partition_id").toString())
        .put("partition", row.getString("partition"))
        .put("consumerGroup", row.getString("consumer_group"))
        .put("error", row.getString("error_message"))
        .put("retryCount", row.getInteger("retry_count"))
        .put("createdAt", time(row, "created_at"))
        .put("failedAt", time(row, "failed_at"));
  }

  /** A page of the queries of stream processors. */
  public Future<JsonObject> streams(String search, int limit, int offset) {
    return charts
        .rows(
            STREAMS,
            Tuple.of(shard)
                .addString(QueueFilter.nullable(search))
                .addInteger(limit)
                .addInteger(offset))
        .map(rows -> listed("streams", rows, "name", DashboardQueries::stream));
  }

  private static JsonObject stream(Row row) {
    return new JsonObject()
        .put("queryId", row.getUUID("query_id").toString())
        .put("name", row.getString("name"))
        .put("sourceQueue", row.getString("source_queue"))
        .put("sinkQueue", row.getString("sink_queue"))
        .put("configHash", row.getString("config_hash"))
        .put("createdAt", time(row, "created_at"))
        .put("updatedAt", time(row, "updated_at"))
        .put("lanes", row.getLong("lanes"))
        .put("keys", row.getLong("keys"));
  }

  /** A page of the source partitions of a query. */
  public Future<JsonObject> streamLanes(UUID queryId, int limit, int offset) {
    return charts
        .rows(STREAM_LANES, Tuple.of(shard).addUUID(queryId).addInteger(limit).addInteger(offset))
        .map(
            rows ->
                new JsonObject()
                    .put("lanes", list(rows, "partition_id", DashboardQueries::streamLane)));
  }

  private static JsonObject streamLane(Row row) {
    return new JsonObject()
        .put("partitionId", row.getUUID("partition_id").toString())
        .put("queue", row.getString("queue"))
        .put("partition", row.getString("partition"))
        .put("keys", row.getLong("keys"))
        .put("updatedAt", time(row, "updated_at"));
  }

  private static JsonObject listed(
      String name, List<Row> rows, String key, Function<Row, JsonObject> each) {
    return new JsonObject()
        .put(name, list(rows, key, each))
        .put("matched", rows.get(0).getLong("matched"));
  }

  /** Where a list is empty there is one row for what is counted, without the key. */
  private static JsonArray list(List<Row> rows, String key, Function<Row, JsonObject> each) {
    JsonArray list = new JsonArray();
    rows.stream().filter(row -> row.getValue(key) != null).map(each).forEach(list::add);
    return list;
  }

  private static @Nullable String time(Row row, String column) {
    @Nullable OffsetDateTime moment = row.getOffsetDateTime(column);
    return moment == null ? null : Texts.millis(moment);
  }
}
