package dev.queenmq.server.upkeep;

import dev.queenmq.server.model.admin.UpkeepRun;
import dev.queenmq.server.store.upkeep.UpkeepStep;
import dev.queenmq.server.store.upkeep.UpkeepStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The background jobs of a broker: retention, eviction, and the removal of unused partitions,
 * orphaned rows, old traces, old dead letters and old history.
 *
 * <h2>What it guarantees</h2>
 *
 * <ol>
 *   <li>Of all brokers on a database, one runs a given job at a time. A broker that was suspended
 *       and wakes up after another took over changes nothing.
 *   <li>A run survives its broker: another one continues where it stopped.
 *   <li>No transaction is long. A step is one statement on a bounded number of rows, and takes some
 *       ten milliseconds.
 *   <li>Messages come first: after each step a job rests, normally for four times as long as the
 *       step took.
 *   <li>A job that fails is logged, recorded, and tried again at its next interval. A queue that
 *       makes it fail does not keep it from the others: the next run goes on behind that queue.
 * </ol>
 *
 * <h2>How</h2>
 *
 * <p><b>Who.</b> Each job has a row in {@code queen.upkeep_leases}. To claim it raises the row's
 * token. Every step names the token, locks the row, does its work, writes what it removed and where
 * the next step starts, and commits. A step with an old token does nothing. A holder that takes no
 * step for 30 seconds, by PostgreSQL's clock, has lost the job.
 *
 * <p><b>When.</b> A {@link JobRunner} for each job asks when the job is due and sleeps until then,
 * a little longer at random, so that brokers that started together do not ask together.
 *
 * <p><b>How fast.</b> {@link Pace} halves the size of a step that took long and doubles that of a
 * quick one. The rest is four times as long as the step, so the slower PostgreSQL is, the less
 * upkeep asks of it. A run that does not end within its interval hurries, because otherwise what it
 * has to remove would grow for ever.
 *
 * <p><b>Re-encryption</b> ({@link Resealing}) is not a job with an interval: it asks every few
 * seconds whether stored payloads have another key than the current one.
 *
 * <h2>Alternatives</h2>
 *
 * <p>A session lock instead of a lease row does not work behind a pooler in transaction mode. A
 * transaction for a whole run would stop vacuum everywhere. An index by age to find old segments
 * would be cheaper to search, but every push into an empty partition would have to write it.
 * Decision 020.
 *
 * <p>Safe for use by several threads.
 */
public final class Upkeep {
  /** Not at once: a start has enough to do. */
  private static final long FIRST_LOOK_MILLIS = 1_000;

  private static final int WALKED_PARTITIONS = 1_000;
  private static final int EVICTED_PARTITIONS = 500;
  private static final int UNUSED_PARTITIONS = 500;
  private static final int ORPHAN_PARTITIONS = 200;
  private static final int TRACED_PARTITIONS = 1_000;
  private static final int ROWS = 2_000;

  private final Context context;
  private final Optional<Resealing> resealing;
  private final Map<UpkeepJob, JobRunner> runners = new EnumMap<>(UpkeepJob.class);
  private final Map<UpkeepJob, Duration> intervals = new EnumMap<>(UpkeepJob.class);

  /**
   * Upkeep that has not begun.
   *
   * @param context that the jobs belong to
   * @param partitionsDeleted called with the partitions of a queue that were removed
   * @param resealing absent if there is no key
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public Upkeep(
      Context context,
      UpkeepStore store,
      UpkeepOptions options,
      BiConsumer<String, List<String>> partitionsDeleted,
      Optional<Resealing> resealing,
      LongSupplier nanoTime) {
    this.context = context;
    this.resealing = resealing;
    for (UpkeepJob job : UpkeepJob.values()) {
      JobRunner.Work work = work(job, store, options);
      intervals.put(job, work.interval());
      runners.put(
          job, new JobRunner(context, store, options.holder(), work, partitionsDeleted, nanoTime));
    }
  }

  private static JobRunner.Work work(UpkeepJob job, UpkeepStore store, UpkeepOptions options) {
    return switch (job) {
      case RETENTION ->
          new JobRunner.Work(
              job,
              options.retentionInterval(),
              options.retentionBatch(),
              (token, limit) -> store.retention(token, WALKED_PARTITIONS, limit));
      case EVICTION ->
          new JobRunner.Work(
              job,
              options.evictionInterval(),
              options.evictionBatch(),
              (token, limit) -> store.eviction(token, EVICTED_PARTITIONS, limit));
      case PARTITIONS ->
          cleanup(
              job,
              options,
              options.partitionDays() == 0
                  ? (token, limit) -> nothing()
                  : (token, limit) ->
                      store.partitions(token, options.partitionDays(), UNUSED_PARTITIONS));
      case ORPHANS ->
          cleanup(job, options, (token, limit) -> store.orphans(token, ORPHAN_PARTITIONS, limit));
      case TRACES ->
          cleanup(job, options, (token, limit) -> store.traces(token, TRACED_PARTITIONS, limit));
      case DEAD_LETTERS ->
          cleanup(
              job,
              options,
              options.deadLetterDays() == 0
                  ? (token, limit) -> nothing()
                  : (token, limit) -> store.deadLetters(token, options.deadLetterDays(), limit));
      case HISTORY ->
          cleanup(job, options, (token, limit) -> store.history(token, options.history(), limit));
    };
  }

  private static JobRunner.Work cleanup(UpkeepJob job, UpkeepOptions options, JobRunner.Step step) {
    return new JobRunner.Work(job, options.cleanupInterval(), ROWS, step);
  }

  private static Future<UpkeepStep> nothing() {
    return Future.succeededFuture(new UpkeepStep(UpkeepStep.State.DONE, 0, Map.of()));
  }

  /** Begins to look which jobs are due. */
  public void start() {
    resealing.ifPresent(Resealing::start);
    context.runOnContext(
        go ->
            runners.forEach(
                (job, runner) ->
                    runner.start(Math.min(FIRST_LOOK_MILLIS, interval(job).toMillis()))));
  }

  /** Ends with the steps under way. */
  public Future<Void> stop() {
    return onContext(
        () ->
            Future.join(
                    Stream.concat(
                            runners.values().stream().map(JobRunner::stop),
                            resealing.stream().map(Resealing::stop))
                        .toList())
                .mapEmpty());
  }

  /**
   * Does a job now, whether it is due or not; empty if another broker has taken it over in its
   * middle. Fails with {@link UpkeepHeldException} when another broker does it.
   */
  public Future<Optional<UpkeepRun>> run(UpkeepJob job) {
    return onContext(() -> runner(job).runNow());
  }

  /** The time between the beginnings of two runs of a job. */
  public Duration interval(UpkeepJob job) {
    return intervals.getOrDefault(job, Duration.ZERO);
  }

  /** What this broker has done. */
  public UpkeepFigures figures() {
    return new UpkeepFigures(
        Arrays.stream(UpkeepJob.values()).map(job -> runner(job).figures()).toList(),
        resealing.map(Resealing::stored).orElse(0L),
        resealing.map(Resealing::left).orElse(0L));
  }

  private JobRunner runner(UpkeepJob job) {
    JobRunner runner = runners.get(job);
    if (runner == null) {
      throw new IllegalStateException("no job " + job);
    }
    return runner;
  }

  private <T> Future<T> onContext(Supplier<Future<T>> call) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(
        go -> Future.succeededFuture().compose(here -> call.get()).onComplete(promise));
    return promise.future();
  }
}
