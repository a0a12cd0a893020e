package dev.queenmq.server.admin.history;

import dev.queenmq.server.admin.AdminSql;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures, in steps, how full the queues are that have a {@code maxSize} and many partitions: a
 * push would hold its locks for as long as that takes. Every broker does steps; PostgreSQL keeps
 * two from doing the same one. Safe for use by several threads.
 */
public final class CapacityMeasuring {
  private static final Logger LOG = LoggerFactory.getLogger(CapacityMeasuring.class);

  /** The time limit of one step. Usually a step takes less than a second. */
  private static final String PATIENCE = "set local statement_timeout = '60s'";

  private static final String STEP =
      "select o_outcome from queen.count_backlog_step_v1($1, $2, $3)";

  /**
   * How it is done.
   *
   * @param pause between two looks whether there is something to measure
   * @param off the same while no queue has a {@code maxSize}: most installations use none
   * @param page partitions of a step
   * @param many a queue with more partitions than this is measured here, and not by pushes. The
   *     procedure reserve_capacity_v1 has the same number.
   */
  public record Rules(Duration pause, Duration off, int page, int many) {
    /** Every second, or every three; 5,000 partitions in a step, from 2,000 partitions on. */
    public static Rules usual() {
      return new Rules(Duration.ofSeconds(1), Duration.ofSeconds(3), 5_000, 2_000);
    }
  }

  private final Vertx vertx;
  private final Pool pool;
  private final short shard;
  private final Rules rules;
  private volatile boolean stopped;

  /** Does nothing yet. */
  public CapacityMeasuring(Vertx vertx, Pool pool, short shard, Rules rules) {
    this.vertx = vertx;
    this.pool = pool;
    this.shard = shard;
    this.rules = rules;
  }

  /** Begins. */
  public void start() {
    Context context = vertx.getOrCreateContext();
    context.runOnContext(go -> again());
  }

  /** Ends with the step that is under way. What is left to do, another broker does. */
  public void stop() {
    stopped = true;
  }

  private void again() {
    if (stopped) {
      return;
    }
    step()
        .onFailure(
            failure -> {
              LOG.debug("a queue was not measured", failure);
              later(rules.pause());
            })
        .onSuccess(
            found -> {
              switch (found) {
                case "more" -> again();
                case "off" -> later(rules.off());
                default -> later(rules.pause());
              }
            });
  }

  private void later(Duration pause) {
    if (!stopped) {
      vertx.setTimer(pause.toMillis(), over -> again());
    }
  }

  private Future<String> step() {
    return pool.withTransaction(
        connection ->
            connection
                .query(PATIENCE)
                .execute()
                .recover(failure -> Future.failedFuture(AdminSql.translated(failure)))
                .compose(
                    set ->
                        new AdminSql(StoreClient.of(connection))
                            .ask(STEP, Tuple.of(shard, rules.page(), rules.many())))
                .map(rows -> rows.iterator().next().getString("o_outcome")));
  }
}
