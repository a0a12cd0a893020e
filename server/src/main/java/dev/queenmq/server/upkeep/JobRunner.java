package dev.queenmq.server.upkeep;

import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.admin.UpkeepRun;
import dev.queenmq.server.store.upkeep.UpkeepClaim;
import dev.queenmq.server.store.upkeep.UpkeepStep;
import dev.queenmq.server.store.upkeep.UpkeepStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job at one broker: asks for it when it is due, and if it gets it, takes steps until the run
 * is complete. The position of the next step is in the database, so that any broker can take it.
 * Belongs to one event loop.
 */
final class JobRunner {
  private static final Logger log = LoggerFactory.getLogger(JobRunner.class);
  private static final long LONGEST_SLEEP_MILLIS = 30_000;
  private static final long RETRY_MILLIS = 5_000;
  private static final int ATTEMPTS = 5;

  /** Takes a step. */
  @FunctionalInterface
  interface Step {
    Future<UpkeepStep> take(long token, int limit);
  }

  /**
   * What to do.
   *
   * @param most that one step may remove
   */
  record Work(UpkeepJob job, Duration interval, int most, Step step) {}

  private final Context context;
  private final UpkeepStore store;
  private final String holder;
  private final Work work;
  private final BiConsumer<String, List<String>> partitionsDeleted;
  private final LongSupplier nanoTime;
  private final LongAdder removed = new LongAdder();
  private final LongAdder succeeded = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private long timer = -1;
  private boolean stopping;
  private @Nullable Promise<Void> rest;
  private Future<Optional<UpkeepRun>> current = Future.succeededFuture(Optional.empty());

  JobRunner(
      Context context,
      UpkeepStore store,
      String holder,
      Work work,
      BiConsumer<String, List<String>> partitionsDeleted,
      LongSupplier nanoTime) {
    this.context = context;
    this.store = store;
    this.holder = holder;
    this.work = work;
    this.partitionsDeleted = partitionsDeleted;
    this.nanoTime = nanoTime;
  }

  /** Begins to look whether the job is due. */
  void start(long firstMillis) {
    sleep(firstMillis);
  }

  /** Ends with the step under way; another broker goes on. */
  Future<Void> stop() {
    stopping = true;
    context.owner().cancelTimer(timer);
    wake();
    return current.transform(ended -> Future.succeededFuture());
  }

  /**
   * A run from the beginning, now or after the one under way here; empty if another broker has
   * taken it over in its middle. Fails with {@link UpkeepHeldException} when another one has it.
   */
  Future<Optional<UpkeepRun>> runNow() {
    Promise<Optional<UpkeepRun>> answer = Promise.promise();
    Future<Optional<UpkeepRun>> before = current;
    current =
        before.transform(
            ended -> {
              Future<Optional<UpkeepRun>> run = claimNow();
              run.onComplete(answer);
              return run.otherwise(Optional.empty());
            });
    return answer.future();
  }

  UpkeepFigures.JobFigures figures() {
    return new UpkeepFigures.JobFigures(work.job, removed.sum(), succeeded.sum(), failed.sum());
  }

  private Future<Optional<UpkeepRun>> claimNow() {
    return stopping
        ? Future.failedFuture(new IllegalStateException("The broker is stopping"))
        : store
            .claim(work.job.label(), holder, work.interval, true)
            .compose(
                claim -> {
                  if (claim instanceof UpkeepClaim.Claimed claimed) {
                    return run(claimed.token());
                  }
                  String other =
                      claim instanceof UpkeepClaim.Held held ? held.holder() : "no broker";
                  return Future.failedFuture(new UpkeepHeldException(work.job, other));
                });
  }

  private void sleep(long millis) {
    if (!stopping) {
      // A little later each time, by chance: brokers that started together need not ask together.
      long jitter = ThreadLocalRandom.current().nextLong(1 + Math.min(1_000, millis / 8));
      timer =
          context
              .owner()
              .setTimer(
                  Math.max(1, Math.min(LONGEST_SLEEP_MILLIS, millis) + jitter), over -> look());
    }
  }

  private void look() {
    if (stopping || !current.isComplete()) {
      sleep(RETRY_MILLIS);
      return;
    }
    Future<Long> wait =
        store
            .claim(work.job.label(), holder, work.interval, false)
            .compose(
                claim -> {
                  if (claim instanceof UpkeepClaim.Claimed claimed) {
                    return run(claimed.token()).map(1L);
                  }
                  return Future.succeededFuture(
                      claim instanceof UpkeepClaim.Early early
                          ? early.patience().toMillis()
                          : ((UpkeepClaim.Held) claim).patience().toMillis());
                });
    current = wait.map(Optional.<UpkeepRun>empty()).otherwise(Optional.empty());
    wait.onSuccess(this::sleep)
        .onFailure(
            failure -> {
              log.debug("{}: {}", work.job.label(), failure.toString());
              sleep(RETRY_MILLIS);
            });
  }

  private Future<Optional<UpkeepRun>> run(long token) {
    return steps(token, new Pace(work.most), nanoTime.getAsLong(), 0)
        .transform(
            ended -> {
              if (ended.failed()) {
                return failed(token, ended.cause());
              }
              return switch (ended.result()) {
                case DONE -> end(token, Optional.empty(), false);
                case MORE ->
                    store.release(work.job.label(), token).map(Optional.<UpkeepRun>empty());
                case LOST -> Future.succeededFuture(Optional.<UpkeepRun>empty());
              };
            });
  }

  /** Takes steps until the run is done, another broker has the job, or this broker stops. */
  private Future<UpkeepStep.State> steps(long token, Pace pace, long began, int failures) {
    if (stopping) {
      return Future.succeededFuture(UpkeepStep.State.MORE);
    }
    long stepBegan = nanoTime.getAsLong();
    return work.step
        .take(token, pace.limit())
        .transform(
            taken -> {
              long took = nanoTime.getAsLong() - stepBegan;
              if (taken.failed()) {
                return failures < ATTEMPTS && passing(taken.cause())
                    ? rest(took, began).compose(go -> steps(token, pace, began, failures + 1))
                    : Future.failedFuture(taken.cause());
              }
              UpkeepStep step = taken.result();
              removed.add(step.removed());
              for (Map.Entry<String, List<String>> each : step.partitions().entrySet()) {
                partitionsDeleted.accept(each.getKey(), each.getValue());
              }
              pace.took(took, step.removed());
              return step.state() == UpkeepStep.State.MORE
                  ? rest(took, began).compose(go -> steps(token, pace, began, 0))
                  : Future.succeededFuture(step.state());
            });
  }

  private static boolean passing(Throwable failure) {
    return failure instanceof StoreException known
        && (known.kind() == StoreException.Kind.CONFLICT
            || known.kind() == StoreException.Kind.LOCKED);
  }

  private Future<Void> rest(long stepNanos, long began) {
    if (stopping) {
      return Future.succeededFuture();
    }
    Promise<Void> over = Promise.promise();
    rest = over;
    Duration running = Duration.ofNanos(nanoTime.getAsLong() - began);
    context
        .owner()
        .setTimer(Pace.restMillis(stepNanos, running, work.interval), end -> over.tryComplete());
    return over.future();
  }

  private void wake() {
    if (rest != null) {
      rest.tryComplete();
    }
  }

  private Future<Optional<UpkeepRun>> failed(long token, Throwable failure) {
    boolean internal =
        !(failure instanceof StoreException known) || known.kind() == StoreException.Kind.INTERNAL;
    log.warn("Upkeep, job {}: {}", work.job.label(), failure.toString(), internal ? failure : null);
    failed.increment();
    return end(token, Optional.of(text(failure)), internal || wouldRecur(failure));
  }

  /** Whether the next run would fail at the same place, so that it begins behind the queue. */
  private static boolean wouldRecur(Throwable failure) {
    return failure instanceof StoreException known
        && (known.kind() == StoreException.Kind.TIMEOUT
            || known.kind() == StoreException.Kind.LOCKED);
  }

  private static String text(Throwable failure) {
    return failure instanceof StoreException ? String.valueOf(failure.getMessage()) : "A defect";
  }

  private Future<Optional<UpkeepRun>> end(long token, Optional<String> error, boolean skip) {
    return store
        .end(work.job.label(), token, error, skip)
        .onSuccess(
            run ->
                run.filter(ended -> ended.error().isEmpty())
                    .ifPresent(
                        ended -> {
                          succeeded.increment();
                          log.debug(
                              "Upkeep, job {}: {} removed in {} ms",
                              work.job.label(),
                              ended.removed(),
                              TimeUnit.NANOSECONDS.toMillis(
                                  Duration.between(ended.started(), ended.ended()).toNanos()));
                        }));
  }
}
