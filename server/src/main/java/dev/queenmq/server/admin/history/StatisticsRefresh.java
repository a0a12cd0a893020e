package dev.queenmq.server.admin.history;

import dev.queenmq.server.admin.AdminSql;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sums up all partitions every few seconds, in steps of some thousand partitions. One broker does
 * it at a time, and none does if another has just done it. A pass that one broker did not finish is
 * continued by the next. Safe for use by several threads.
 */
public final class StatisticsRefresh {
  private static final Logger LOG = LoggerFactory.getLogger(StatisticsRefresh.class);

  /** The time limit of one step. Usually a step takes less than a second. */
  private static final String PATIENCE = "set local statement_timeout = '60s'";

  private static final String STEP = "select * from queen.statistics_step_v1($1, $2, $3, $4)";

  /** Partitions of a step. */
  public static final int PAGE = 5_000;

  /** A step that fails is tried again with half as many partitions, down to this number. */
  private static final int SMALLEST_PAGE = 100;

  /** How long to wait while another broker does a step. */
  private static final long BUSY_MILLIS = 200;

  private final Vertx vertx;
  private final Pool pool;
  private final short shard;
  private final Duration interval;
  private final int mostPartitions;
  private final AtomicInteger page;
  private volatile boolean stopped;

  /**
   * Does nothing yet.
   *
   * @param pool a pool of its own: a step may take seconds
   * @param page how many partitions a step takes, usually {@link #PAGE}
   */
  public StatisticsRefresh(Vertx vertx, Pool pool, short shard, Duration interval, int page) {
    this.vertx = vertx;
    this.pool = pool;
    this.shard = shard;
    this.interval = interval;
    this.mostPartitions = page;
    this.page = new AtomicInteger(page);
  }

  /** Begins. */
  public void start() {
    Context context = vertx.getOrCreateContext();
    context.runOnContext(go -> again());
  }

  /** Ends with the step that is under way. */
  public void stop() {
    stopped = true;
  }

  private void again() {
    if (!stopped) {
      refresh(false)
          .onFailure(failure -> LOG.debug("partitions were not summed up", failure))
          .onComplete(done -> vertx.setTimer(interval.toMillis(), over -> again()));
    }
  }

  /** Sums up now, and returns what it did. */
  public Future<JsonObject> now() {
    return refresh(true).map(StatisticsRefresh::answer);
  }

  private Future<Row> refresh(boolean force) {
    Promise<Row> end = Promise.promise();
    steps(force, false, end);
    return end.future();
  }

  /**
   * Until the pass has ended. Only its first step is forced: if another broker does the last one,
   * the next must not begin a pass again.
   */
  private void steps(boolean force, boolean underWay, Promise<Row> end) {
    step(force)
        .onFailure(end::fail)
        .onSuccess(
            row -> {
              String outcome = row.getString("o_outcome");
              if (!stopped && outcome.equals("more")) {
                steps(false, true, end);
              } else if (!stopped && underWay && outcome.equals("busy")) {
                vertx.setTimer(BUSY_MILLIS, over -> steps(false, true, end));
              } else {
                end.complete(row);
              }
            });
  }

  private Future<Row> step(boolean force) {
    int partitions = page.get();
    return pool.withTransaction(
            connection ->
                connection
                    .query(PATIENCE)
                    .execute()
                    .recover(failure -> Future.failedFuture(AdminSql.translated(failure)))
                    .compose(
                        set ->
                            new AdminSql(StoreClient.of(connection))
                                .ask(
                                    STEP,
                                    Tuple.of(shard, (int) interval.toMillis(), force, partitions)))
                    .map(rows -> rows.iterator().next()))
        .onSuccess(row -> page.compareAndSet(partitions, Math.min(partitions * 2, mostPartitions)))
        .onFailure(
            failure ->
                page.compareAndSet(
                    partitions, Math.min(Math.max(partitions / 2, SMALLEST_PAGE), mostPartitions)));
  }

  private static JsonObject answer(Row row) {
    if (!row.getString("o_outcome").equals("done")) {
      return new JsonObject().put("skipped", true).put("reason", "another_instance_running");
    }
    return new JsonObject()
        .put("cleanup", new JsonObject().put("orphanedDeleted", row.getLong("o_removed")))
        .put("namespace", new JsonObject().put("namespacesUpdated", row.getLong("o_namespaces")))
        .put(
            "partition",
            new JsonObject()
                .put("dirtyPartitionsScanned", row.getLong("o_looked_up"))
                .put("newPartitions", row.getLong("o_new_partitions"))
                .put("partitionsSkippedByWatermark", row.getLong("o_known"))
                .put("partitionsUpdated", row.getLong("o_partitions")))
        .put("queue", new JsonObject().put("queuesUpdated", row.getLong("o_queues")))
        .put("system", new JsonObject().put("systemUpdated", 1))
        .put("task", new JsonObject().put("tasksUpdated", row.getLong("o_tasks")));
  }
}
