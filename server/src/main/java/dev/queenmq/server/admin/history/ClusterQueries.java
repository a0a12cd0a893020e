package dev.queenmq.server.admin.history;

import dev.queenmq.server.metrics.ClusterReadings;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What all brokers did and have to do, for metrics: rows that were written down before, so that a
 * question costs no more for more messages or partitions. Safe for use by several threads.
 */
public final class ClusterQueries {
  private static final String QUEUES = "select * from queen.recent_queues_v1($1)";
  private static final String WORKERS = "select * from queen.recent_workers_v1($1, $2)";
  private static final String PENDING = "select * from queen.pending_by_group_v1($1, $2)";
  private static final String DEAD = "select * from queen.dead_by_queue_v1($1, $2)";
  private static final int RECENT_SECONDS = 300;

  private final Charts charts;
  private final short shard;
  private final int maxQueues;

  /**
   * Queries through this client.
   *
   * @param maxQueues rows with a queue in them, of each kind
   */
  public ClusterQueries(StoreClient client, short shard, int maxQueues) {
    this.charts = new Charts(client);
    this.shard = shard;
    this.maxQueues = maxQueues;
  }

  /** Reads the figures of all brokers. */
  public Future<ClusterReadings> read() {
    Future<Row> totals = charts.totals();
    Future<List<Row>> queues = charts.rows(QUEUES, Tuple.of(maxQueues));
    Future<List<Row>> workers = charts.rows(WORKERS, Tuple.of(RECENT_SECONDS, true));
    Future<List<Row>> pending = charts.rows(PENDING, Tuple.of(shard, maxQueues));
    Future<List<Row>> dead = charts.rows(DEAD, Tuple.of(shard, maxQueues));
    return Future.all(totals, queues, workers, pending, dead)
        .map(
            all -> {
              Row first = dead.result().get(0);
              @Nullable Double age = first.getDouble("age");
              return new ClusterReadings(
                  totals(totals.result()),
                  queues.result().stream().map(ClusterQueries::queue).toList(),
                  leftOut(queues.result()),
                  newest(workers.result()).stream().map(ClusterQueries::worker).toList(),
                  pending.result().stream().map(ClusterQueries::pending).toList(),
                  leftOut(pending.result()),
                  dead.result().stream()
                      .filter(row -> row.getString("queue") != null)
                      .map(
                          row ->
                              new ClusterReadings.Dead(row.getString("queue"), row.getLong("dead")))
                      .toList(),
                  first.getLong("total"),
                  age == null ? -1 : age);
            });
  }

  /**
   * The event loops of the broker that was seen last, where several have the same labels in the
   * metrics: a broker that was restarted is a new one, and in a container it has the same host name
   * and process id.
   */
  private static Collection<Row> newest(List<Row> workers) {
    Map<List<Object>, Row> newest = new LinkedHashMap<>();
    for (Row row : workers) {
      newest.merge(
          List.of(row.getString("hostname"), row.getLong("pid"), row.getInteger("worker")),
          row,
          (a, b) -> lastSeen(a).isAfter(lastSeen(b)) ? a : b);
    }
    return newest.values();
  }

  private static OffsetDateTime lastSeen(Row row) {
    return row.getOffsetDateTime("last_seen");
  }

  private static long leftOut(List<Row> rows) {
    return rows.isEmpty() ? 0 : rows.get(0).getLong("left_out");
  }

  private static ClusterReadings.Totals totals(Row row) {
    return new ClusterReadings.Totals(
        row.getLong("push_requests"),
        row.getLong("pop_requests"),
        row.getLong("ack_requests"),
        row.getLong("transactions"),
        row.getLong("push_messages"),
        row.getLong("pop_messages"),
        row.getLong("ack_success"),
        row.getLong("ack_failed"),
        row.getLong("dead_letters"),
        row.getLong("db_errors"));
  }

  private static ClusterReadings.Queue queue(Row row) {
    return new ClusterReadings.Queue(
        row.getString("queue"),
        row.getLong("push_requests"),
        row.getLong("push_messages"),
        row.getLong("pop_messages"),
        row.getLong("pop_empty"),
        row.getLong("ack_success"),
        row.getLong("ack_failed"),
        row.getLong("transactions"),
        row.getLong("parked"),
        Mean.of(row.getLong("lag_sum_ms"), row.getLong("lag_count")),
        row.getLong("lag_max_ms"),
        row.getDouble("age"));
  }

  private static ClusterReadings.Worker worker(Row row) {
    long samples = row.getLong("samples");
    return new ClusterReadings.Worker(
        row.getString("hostname"),
        row.getInteger("worker"),
        row.getLong("pid"),
        row.getLong("push_requests"),
        row.getLong("pop_requests"),
        row.getLong("ack_requests"),
        row.getLong("transactions"),
        row.getLong("push_messages"),
        row.getLong("pop_messages"),
        row.getLong("ack_success"),
        row.getLong("ack_failed"),
        row.getLong("dead_letters"),
        row.getLong("db_errors"),
        row.getLong("jobs_done"),
        Mean.of(row.getLong("lag_sum_ms"), row.getLong("lag_count")),
        row.getLong("lag_max_ms"),
        Mean.of(row.getDouble("loop_delay_sum"), samples),
        TimeRange.rounded(row.getDouble("loop_delay_max")),
        Mean.of(row.getLong("free_slots_sum"), samples),
        row.getLong("free_slots_min"),
        Mean.of(row.getLong("job_queue_sum"), samples),
        row.getLong("job_queue_max"),
        row.getInteger("db_connections"),
        row.getInteger("backoff_size"),
        row.getDouble("age"));
  }

  private static ClusterReadings.Pending pending(Row row) {
    return new ClusterReadings.Pending(
        row.getString("queue"),
        row.getString("consumer_group"),
        row.getLong("lag"),
        row.getDouble("age"));
  }
}
