package dev.queenmq.server.admin.history;

import dev.queenmq.server.admin.Questions;
import dev.queenmq.server.store.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has all partitions summed up every few seconds: by one broker at a time, and by none if another
 * has just done it. Safe for use by several threads.
 */
public final class StatisticsRefresh {
  private static final Logger LOG = LoggerFactory.getLogger(StatisticsRefresh.class);

  /** On a slow machine with many partitions it takes longer than anybody would wait for. */
  private static final String PATIENCE = "set local statement_timeout = '15min'";

  private static final String REFRESH = "select * from queen.refresh_statistics_v1($1, $2, $3)";

  private final Vertx vertx;
  private final Pool pool;
  private final short shard;
  private final Duration interval;
  private volatile boolean stopped;

  /**
   * Does nothing yet.
   *
   * @param pool one that nobody else waits for: it may take seconds
   */
  public StatisticsRefresh(Vertx vertx, Pool pool, short shard, Duration interval) {
    this.vertx = vertx;
    this.pool = pool;
    this.shard = shard;
    this.interval = interval;
  }

  /** Begins. */
  public void start() {
    Context context = vertx.getOrCreateContext();
    context.runOnContext(go -> again());
  }

  /** Ends; what is under way goes on. */
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

  /** Sums up now, and tells what that was. */
  public Future<JsonObject> now() {
    return refresh(true).map(StatisticsRefresh::told);
  }

  private Future<Row> refresh(boolean force) {
    return pool.withTransaction(
        connection ->
            connection
                .query(PATIENCE)
                .execute()
                .recover(failure -> Future.failedFuture(Questions.translated(failure)))
                .compose(
                    set ->
                        new Questions(StoreClient.of(connection))
                            .ask(REFRESH, Tuple.of(shard, (int) interval.toMillis(), force)))
                .map(rows -> rows.iterator().next()));
  }

  private static JsonObject told(Row row) {
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
