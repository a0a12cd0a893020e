package dev.queenmq.server.admin;

import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was done in the background, in the words of the HTTP contract. Safe for use by several
 * threads. Failures are {@link AdminException}s.
 */
public final class UpkeepQueries {
  private static final String JOBS =
      "select * from queen.upkeep_jobs_v1($1, array(select make_interval(secs => s.s / 1000.0)"
          + " from unnest($2::bigint[]) with ordinality as s (s, n) order by s.n))";
  private static final String RUNS = "select * from queen.upkeep_runs_v1($1, $2)";
  private static final String RETENTION =
      "select * from queen.retention_history_v1($1, $2, $3, $4)";
  private static final int SHOWN_RUNS = 10;

  /** A job, and the time between two runs of it. */
  public record Job(String name, Duration interval) {}

  private final AdminSql sql;

  /** Queries through this client. */
  public UpkeepQueries(StoreClient client) {
    this.sql = new AdminSql(client);
  }

  /** The jobs: which broker runs them now, when they are due, and their last runs. */
  public Future<JsonObject> jobs(List<Job> jobs) {
    String[] names = jobs.stream().map(Job::name).toArray(String[]::new);
    Long[] millis = jobs.stream().map(job -> job.interval().toMillis()).toArray(Long[]::new);
    return sql.ask(JOBS, Tuple.tuple().addArrayOfString(names).addArrayOfLong(millis))
        .compose(
            rows ->
                sql.ask(RUNS, Tuple.tuple().addArrayOfString(names).addInteger(SHOWN_RUNS))
                    .map(runs -> jobs(jobs, rows, runs)));
  }

  private static JsonObject jobs(List<Job> jobs, RowSet<Row> rows, RowSet<Row> runs) {
    Map<String, JsonArray> runsOf = new HashMap<>();
    for (Row run : runs) {
      runsOf.computeIfAbsent(run.getString("job"), job -> new JsonArray()).add(run(run));
    }
    Map<String, Duration> intervals = new HashMap<>();
    jobs.forEach(job -> intervals.put(job.name(), job.interval()));
    JsonArray all = new JsonArray();
    for (Row row : rows) {
      String job = row.getString("job");
      String holder = row.getString("holder");
      all.add(
          new JsonObject()
              .put("job", job)
              .put("intervalMs", intervals.getOrDefault(job, Duration.ZERO).toMillis())
              .put("running", holder != null)
              .put("holder", holder)
              .put("leaseExpiresAt", text(row.getOffsetDateTime("expires_at")))
              .put("startedAt", text(row.getOffsetDateTime("started_at")))
              .put("nextDueAt", text(row.getOffsetDateTime("due_at")))
              .put("runs", runsOf.getOrDefault(job, new JsonArray())));
    }
    return new JsonObject().put("jobs", all);
  }

  private static JsonObject run(Row row) {
    OffsetDateTime started = row.getOffsetDateTime("started_at");
    JsonArray queues = new JsonArray();
    String[] names = row.getArrayOfStrings("queues");
    String[] rules = row.getArrayOfStrings("rules");
    Long[] counts = row.getArrayOfLongs("counts");
    for (int i = 0; i < names.length; i++) {
      queues.add(
          new JsonObject().put("queue", names[i]).put("rule", rules[i]).put("removed", counts[i]));
    }
    return new JsonObject()
        .put("startedAt", Moments.text(started))
        .put("tookMs", Duration.between(started, row.getOffsetDateTime("ended_at")).toMillis())
        .put("holder", row.getString("holder"))
        .put("removed", row.getLong("removed"))
        .put("queues", queues)
        .put("error", row.getString("error"));
  }

  /** What retention and eviction removed, of one queue or of all. */
  public Future<JsonObject> retention(Optional<String> queue, ChartRange range) {
    return sql.ask(
            RETENTION,
            Tuple.tuple()
                .addString(queue.orElse(null))
                .addOffsetDateTime(range.from().atOffset(ZoneOffset.UTC))
                .addOffsetDateTime(range.to().atOffset(ZoneOffset.UTC))
                .addInteger(range.bucketMinutes()))
        .map(
            rows -> {
              JsonArray series = new JsonArray();
              Removed totals = new Removed(0, 0, 0, 0);
              for (Row row : rows) {
                Removed removed =
                    new Removed(
                        row.getLong("retention"),
                        row.getLong("completed"),
                        row.getLong("eviction"),
                        row.getLong("events"));
                totals = totals.plus(removed);
                series.add(
                    removed.into(
                        new JsonObject()
                            .put("bucket", Moments.text(row.getOffsetDateTime("bucket")))));
              }
              return new JsonObject()
                  .put(
                      "timeRange",
                      new JsonObject()
                          .put("from", Moments.text(range.from().atOffset(ZoneOffset.UTC)))
                          .put("to", Moments.text(range.to().atOffset(ZoneOffset.UTC))))
                  .put("bucketMinutes", range.bucketMinutes())
                  .put("series", series)
                  .put("totals", totals.into(new JsonObject()));
            });
  }

  private record Removed(long retention, long completed, long eviction, long events) {
    Removed plus(Removed other) {
      return new Removed(
          retention + other.retention,
          completed + other.completed,
          eviction + other.eviction,
          events + other.events);
    }

    JsonObject into(JsonObject body) {
      return body.put("retentionMsgs", retention)
          .put("completedRetentionMsgs", completed)
          .put("evictionMsgs", eviction)
          .put("totalMsgs", retention + completed + eviction)
          .put("eventCount", events);
    }
  }

  private static @Nullable String text(@Nullable OffsetDateTime moment) {
    return Optional.ofNullable(moment).map(Moments::text).orElse(null);
  }
}
