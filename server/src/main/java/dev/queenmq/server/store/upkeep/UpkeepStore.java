package dev.queenmq.server.store.upkeep;

import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.admin.UpkeepRun;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The statements of upkeep: which broker runs a job ({@code upkeep_claim_v1}, {@code
 * upkeep_end_v1}, {@code upkeep_release_v1}), and a step of each. All of them are small
 * transactions of one statement. Safe for use by several threads. Failures are {@link
 * StoreException}s.
 */
public final class UpkeepStore {
  private static final String CLAIM =
      "select * from queen.upkeep_claim_v1($1, $2, make_interval(secs => $3),"
          + " make_interval(secs => $4), $5)";
  private static final String END = "select * from queen.upkeep_end_v1($1, $2, $3, $4)";
  private static final String RELEASE = "select queen.upkeep_release_v1($1, $2)";
  private static final String RETENTION =
      "select * from queen.upkeep_retention_v1($1, $2, make_interval(secs => $3), $4, $5)";
  private static final String EVICTION =
      "select * from queen.upkeep_eviction_v1($1, $2, make_interval(secs => $3), $4, $5)";
  private static final String PARTITIONS =
      "select * from queen.upkeep_partitions_v1($1, $2, make_interval(secs => $3), $4, $5)";
  private static final String ORPHANS =
      "select * from queen.upkeep_orphans_v1($1, $2, make_interval(secs => $3), $4, $5)";
  private static final String TRACES =
      "select * from queen.upkeep_traces_v1($1, $2, make_interval(secs => $3), $4, $5)";
  private static final String DEAD_LETTERS =
      "select * from queen.upkeep_dead_letters_v1($1, $2, make_interval(secs => $3), $4, $5)";
  private static final String HISTORY =
      "select * from queen.upkeep_history_v1($1, make_interval(secs => $2), $3, $4, $5, $6)";

  private final StoreClient client;
  private final short shard;
  private final double leaseSeconds;

  /**
   * Over this client.
   *
   * @param lease how long after its last step a holder counts as gone
   */
  public UpkeepStore(StoreClient client, short shard, Duration lease) {
    this.client = client;
    this.shard = shard;
    this.leaseSeconds = seconds(lease);
  }

  /**
   * Asks for a job.
   *
   * @param holder our name
   * @param interval between the beginnings of two runs
   * @param now whether it is due or not, and from the beginning
   */
  public Future<UpkeepClaim> claim(String job, String holder, Duration interval, boolean now) {
    return call(CLAIM, Tuple.of(job, holder, leaseSeconds, seconds(interval), now))
        .map(
            row -> {
              if (row.getString("o_state").equals("claimed")) {
                return new UpkeepClaim.Claimed(row.getLong("o_token"));
              }
              Duration wait = Duration.ofMillis((long) (row.getDouble("o_wait") * 1000) + 1);
              return row.getString("o_state").equals("held")
                  ? new UpkeepClaim.Held(row.getString("o_holder"), wait)
                  : new UpkeepClaim.Early(wait);
            });
  }

  /**
   * Ends a run; empty if another broker has taken it over.
   *
   * @param skip whether the next run shall go on behind the queue where this one failed
   */
  public Future<Optional<UpkeepRun>> end(
      String job, long token, Optional<String> error, boolean skip) {
    return call(END, Tuple.of(job, token).addString(error.orElse(null)).addBoolean(skip))
        .map(
            row ->
                row.getString("o_state").equals("lost")
                    ? Optional.empty()
                    : Optional.of(
                        new UpkeepRun(
                            job,
                            row.getOffsetDateTime("o_started_at").toInstant(),
                            row.getOffsetDateTime("o_ended_at").toInstant(),
                            row.getLong("o_removed"),
                            error)));
  }

  /** Gives a job back in the middle of a run. */
  public Future<Void> release(String job, long token) {
    return call(RELEASE, Tuple.of(job, token)).mapEmpty();
  }

  /** Retention in a number of partitions; removes a limited number of segments. */
  public Future<UpkeepStep> retention(long token, int partitions, int segments) {
    return step(RETENTION, token, partitions, segments);
  }

  /**
   * Eviction in a number of partitions; copies a limited number of messages to the dead letters.
   */
  public Future<UpkeepStep> eviction(long token, int partitions, int messages) {
    return step(EVICTION, token, partitions, messages);
  }

  /** Looks at a number of partitions, and removes those that were not used for days. */
  public Future<UpkeepStep> partitions(long token, int days, int partitions) {
    return step(PARTITIONS, token, days, partitions);
  }

  /** Removal of what hangs on partitions that are gone. */
  public Future<UpkeepStep> orphans(long token, int partitions, int segments) {
    return step(ORPHANS, token, partitions, segments);
  }

  /** Removes traces of deleted messages in a number of partitions, up to a limit. */
  public Future<UpkeepStep> traces(long token, int partitions, int traces) {
    return step(TRACES, token, partitions, traces);
  }

  /** Removes dead letters that are older than a number of days. */
  public Future<UpkeepStep> deadLetters(long token, int days, int rows) {
    return step(DEAD_LETTERS, token, days, rows);
  }

  /** Removes old rows of tables, a limited number of each. */
  public Future<UpkeepStep> history(long token, List<HistoryTable> tables, int rows) {
    return call(
            HISTORY,
            Tuple.of(token, leaseSeconds)
                .addArrayOfString(tables.stream().map(HistoryTable::table).toArray(String[]::new))
                .addArrayOfString(tables.stream().map(HistoryTable::column).toArray(String[]::new))
                .addArrayOfInteger(tables.stream().map(HistoryTable::days).toArray(Integer[]::new))
                .addInteger(rows))
        .map(row -> new UpkeepStep(state(row), row.getLong("o_removed"), Map.of()));
  }

  private Future<UpkeepStep> step(String sql, long token, int first, int second) {
    return call(sql, Tuple.of(shard, token, leaseSeconds, first, second))
        .map(
            row ->
                new UpkeepStep(
                    state(row),
                    row.getLong("o_removed"),
                    row.getColumnIndex("o_partitions") < 0 ? Map.of() : partitions(row)));
  }

  private static UpkeepStep.State state(Row row) {
    return UpkeepStep.State.valueOf(row.getString("o_state").toUpperCase(Locale.ROOT));
  }

  private static Map<String, List<String>> partitions(Row row) {
    Map<String, List<String>> byQueue = new TreeMap<>();
    String[] queues = row.getArrayOfStrings("o_queues");
    String[] names = row.getArrayOfStrings("o_partitions");
    for (int i = 0; queues != null && i < queues.length; i++) {
      byQueue.computeIfAbsent(queues[i], queue -> new ArrayList<>()).add(names[i]);
    }
    return byQueue;
  }

  private Future<Row> call(String sql, Tuple arguments) {
    return client
        .call(sql, arguments)
        .recover(Failures::translate)
        .map(rows -> rows.iterator().next());
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
