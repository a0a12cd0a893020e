package dev.queenmq.server.admin.history;

import dev.queenmq.server.admin.AdminException;
import dev.queenmq.server.admin.AdminSql;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queries behind the charts. Safe for use by several threads. */
final class Charts {
  /**
   * The most rows of a chart. Its rows are minutes times queues or brokers, which has no bound of
   * its own, and all of them are in memory until the answer is written.
   */
  private static final int MOST_POINTS = 50_000;

  private static final String QUEUES =
      "select * from queen.history_queues_v1($1, $2, $3, $4, $5, $6, $7)";
  private static final String WORKERS =
      "select * from queen.history_workers_v1($1, $2, $3, $4, $5)";
  private static final String SYSTEM = "select * from queen.history_system_v1($1, $2, $3, $4, $5)";
  private static final String PROCESS = "select * from queen.history_process_v1($1, $2, $3)";
  private static final String PARKED = "select * from queen.history_parked_v1($1, $2, $3, $4)";
  private static final String RECENT = "select * from queen.recent_workers_v1($1, $2)";
  private static final String TOTALS = "select * from queen.history_totals_v1()";

  private final AdminSql sql;

  Charts(StoreClient client) {
    this.sql = new AdminSql(client);
  }

  /** What was done with queues, together or by queue. */
  Future<List<Row>> queues(TimeRange range, int minutes, QueueFilter filter, boolean split) {
    return points(QUEUES, filter.into(bounds(range, minutes)).addBoolean(split));
  }

  Future<List<Row>> workers(TimeRange range, String hostname, @Nullable Integer worker) {
    return points(
        WORKERS,
        bounds(range, range.bucketMinutes())
            .addString(QueueFilter.nullable(hostname))
            .addInteger(worker));
  }

  Future<List<Row>> system(TimeRange range, String hostname, String name) {
    return points(
        SYSTEM,
        bounds(range, range.bucketMinutes())
            .addString(QueueFilter.nullable(hostname))
            .addString(QueueFilter.nullable(name)));
  }

  Future<List<Row>> process(TimeRange range) {
    return points(PROCESS, bounds(range, range.bucketMinutes()));
  }

  Future<List<Row>> parked(TimeRange range, String queue) {
    return points(
        PARKED, bounds(range, range.bucketMinutes()).addString(QueueFilter.nullable(queue)));
  }

  /** Event loops that wrote something in the last seconds. */
  Future<List<Row>> recentWorkers(int seconds) {
    return rows(RECENT, Tuple.of(seconds, false));
  }

  /** What all brokers have done. */
  Future<Row> totals() {
    return rows(TOTALS, Tuple.tuple()).map(rows -> rows.get(0));
  }

  /** The rows of a chart, if they are not too many. */
  private Future<List<Row>> points(String statement, Tuple arguments) {
    return rows(statement + " limit " + (MOST_POINTS + 1), arguments)
        .compose(
            rows ->
                rows.size() <= MOST_POINTS
                    ? Future.succeededFuture(rows)
                    : Future.failedFuture(
                        AdminException.tooLarge(
                            "The range has more than "
                                + MOST_POINTS
                                + " points; choose a shorter one, or a queue")));
  }

  /** All of an answer. */
  Future<List<Row>> rows(String statement, Tuple arguments) {
    return sql.ask(statement, arguments).map(Charts::list);
  }

  private static Tuple bounds(TimeRange range, int minutes) {
    return Tuple.tuple()
        .addOffsetDateTime(at(range.from()))
        .addOffsetDateTime(at(range.to()))
        .addInteger(minutes);
  }

  private static OffsetDateTime at(Instant moment) {
    return moment.atOffset(ZoneOffset.UTC);
  }

  private static List<Row> list(RowSet<Row> rows) {
    List<Row> list = new ArrayList<>(rows.size());
    rows.forEach(list::add);
    return list;
  }
}
