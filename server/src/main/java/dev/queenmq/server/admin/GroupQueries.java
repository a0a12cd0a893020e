package dev.queenmq.server.admin;

import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Consumer groups and how far they are behind, in the words of the HTTP contract. Safe for use by
 * several threads. Failures are {@link AdminException}s.
 */
public final class GroupQueries {
  private static final String GROUPS =
      "select *, clock_timestamp() as now from queen.groups_v1($1, $2) offset $3 limit $4";
  private static final String GROUP = "select * from queen.group_partitions_v1($1, $2, $3, $4)";
  private static final String LAGGING = "select * from queen.lagging_partitions_v1($1, $2, $3, $4)";

  /** A group that is further behind than this many seconds is lagging. */
  private static final long LAGGING_SECONDS = 300;

  /** For this many seconds after its first contact a group may have no activity. */
  private static final long NEW_SECONDS = 300;

  private final AdminSql sql;
  private final short shard;
  private final int liveLimit;

  /**
   * Queries through this client.
   *
   * @param client best not the one that carries messages: an answer may take a while
   * @param liveLimit up to this many partitions and cursors, sums are computed for each request;
   *     beyond it, they are some seconds old
   */
  public GroupQueries(StoreClient client, short shard, int liveLimit) {
    this.liveLimit = liveLimit;
    this.sql = new AdminSql(client);
    this.shard = shard;
  }

  /** A page of all groups, one element for each queue of a group, by group and queue. */
  public Future<JsonArray> groups(int limit, int offset) {
    return sql.ask(GROUPS, Tuple.of(shard, liveLimit, (long) offset, (long) limit))
        .compose(
            rows ->
                Pauses.all(sql)
                    .map(
                        pauses -> {
                          JsonArray groups = new JsonArray();
                          rows.forEach(row -> groups.add(group(row, pauses)));
                          return groups;
                        }));
  }

  /**
   * A page of the partitions that a group reads, by queue; an empty object if there is no such
   * group.
   */
  public Future<JsonObject> group(String name, int limit, int offset) {
    return sql.ask(GROUP, Tuple.of(shard, name, limit, offset))
        .map(
            rows -> {
              JsonObject queues = new JsonObject();
              for (Row row : rows) {
                String queue = row.getString("queue");
                if (!queues.containsKey(queue)) {
                  queues.put(queue, new JsonObject().put("partitions", new JsonArray()));
                }
                queues.getJsonObject(queue).getJsonArray("partitions").add(partition(row));
              }
              return queues;
            });
  }

  /**
   * Partitions in which a group is further behind than a number of seconds, the worst first.
   *
   * @param limit how many at most
   */
  public Future<JsonArray> lagging(int seconds, int limit) {
    return sql.ask(LAGGING, Tuple.of(shard, seconds, limit, liveLimit))
        .map(
            rows -> {
              JsonArray partitions = new JsonArray();
              rows.forEach(row -> partitions.add(laggingPartition(row)));
              return partitions;
            });
  }

  private static JsonObject group(Row row, Pauses pauses) {
    long timeLag = row.getLong("time_lag");
    String queue = row.getString("queue");
    return new JsonObject()
        .put("activeLeases", row.getLong("leased"))
        .put("maxTimeLag", timeLag)
        .put("members", row.getLong("opened"))
        .put("name", row.getString("consumer_group"))
        .put("partitionsWithLag", row.getLong("lagging"))
        .put("paused", pauses.isPaused(queue, row.getString("consumer_group")))
        .put("queueName", queue)
        .put("state", state(row))
        .put("statsAge", (long) Math.floor(row.getDouble("stats_age")))
        .put("subscriptionCreatedAt", text(row.getOffsetDateTime("subscribed_at")))
        .put("subscriptionMode", row.getString("mode"))
        .put("subscriptionTimestamp", text(row.getOffsetDateTime("started_at")))
        .put("topics", new JsonArray().add(queue))
        .put("totalLag", row.getLong("lag"));
  }

  /**
   * A group is dead if its consumers have never acked, hold no lease, and did not first connect
   * just now.
   */
  private static String state(Row row) {
    if (row.getLong("time_lag") > LAGGING_SECONDS) {
      return "Lagging";
    }
    @Nullable OffsetDateTime subscribed = row.getOffsetDateTime("subscribed_at");
    boolean fresh =
        subscribed != null
            && subscribed.plusSeconds(NEW_SECONDS).isAfter(row.getOffsetDateTime("now"));
    return row.getBoolean("consumed") || row.getLong("leased") > 0 || fresh ? "Stable" : "Dead";
  }

  private static JsonObject partition(Row row) {
    @Nullable UUID lease = row.getUUID("lease_id");
    return new JsonObject()
        .put("lastConsumedAt", text(row.getOffsetDateTime("last_consumed_at")))
        .put("leaseActive", lease != null)
        .put("offsetLag", row.getLong("lag"))
        .put("partition", row.getString("partition"))
        .put("timeLagSeconds", row.getLong("time_lag"))
        .put("totalConsumed", row.getLong("consumed"))
        .put("workerId", text(lease));
  }

  private static JsonObject laggingPartition(Row row) {
    long seconds = row.getLong("time_lag");
    return new JsonObject()
        .put("consumer_group", row.getString("consumer_group"))
        .put("lag_hours", Math.round(seconds / 36.0) / 100.0)
        .put("last_consumed_at", text(row.getOffsetDateTime("last_consumed_at")))
        .put("offset_lag", row.getLong("lag"))
        .put("oldest_unconsumed_at", text(row.getOffsetDateTime("oldest_at")))
        .put("partition_id", text(row.getUUID("partition_id")))
        .put("partition_name", row.getString("partition"))
        .put("queue_name", row.getString("queue"))
        .put("time_lag_seconds", seconds)
        .put("worker_id", text(row.getUUID("lease_id")));
  }

  private static @Nullable String text(@Nullable OffsetDateTime moment) {
    return Optional.ofNullable(moment).map(Moments::text).orElse(null);
  }

  private static @Nullable String text(@Nullable UUID id) {
    return id == null ? null : id.toString();
  }
}
