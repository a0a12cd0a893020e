package dev.queenmq.server.spool;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PushOutcome;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A push on its way to PostgreSQL, which goes to the spool if PostgreSQL cannot be reached or does
 * not answer in time. A late answer changes nothing for the producer; the replay will find what was
 * stored after all.
 */
final class GuardedPush {
  private final SpoolIntake intake;
  private final DatabaseWatch watch;
  private final Set<UUID> inTheAir;
  private final StoreProgress progress;
  private final PushLoad load;
  private final List<Message> messages;
  private final Future<List<PushOutcome>> stored;
  private final @Nullable Context caller = Vertx.currentContext();
  private final AtomicBoolean decided = new AtomicBoolean();
  private final Promise<List<PushOutcome>> answer = Promise.promise();
  private final Deadlines deadlines;
  private final LongSupplier nanoTime;
  private final long begun;
  private final long sentAtMillis;
  private volatile Deadlines.Entry deadline;

  /**
   * Waits for the answer to a push.
   *
   * @param inTheAir the messages that were sent and may be stored any moment
   * @param progress that PostgreSQL stores messages
   * @param load what is on its way to PostgreSQL, this push included
   * @param sentAtMillis before the push was sent
   * @param nanoTime as {@link System#nanoTime} counts
   */
  GuardedPush(
      SpoolIntake intake,
      DatabaseWatch watch,
      Deadlines deadlines,
      Set<UUID> inTheAir,
      StoreProgress progress,
      PushLoad load,
      List<Message> messages,
      long sentAtMillis,
      LongSupplier nanoTime,
      Future<List<PushOutcome>> stored) {
    this.intake = intake;
    this.nanoTime = nanoTime;
    begun = nanoTime.getAsLong();
    this.watch = watch;
    this.inTheAir = inTheAir;
    this.progress = progress;
    this.load = load;
    this.messages = messages;
    this.sentAtMillis = sentAtMillis;
    this.stored = stored;
    this.deadlines = deadlines;
    deadline = deadlines.add(this::late);
    stored.onComplete(this::answered);
  }

  Future<List<PushOutcome>> answer() {
    return answer.future();
  }

  private void answered(AsyncResult<List<PushOutcome>> result) {
    deadline.answered();
    if (!decided.compareAndSet(false, true)) {
      return;
    }
    if (result.failed()) {
      if (isUnreachable(result.cause())) {
        watch.doubt();
        intake.keep(messages, OptionalLong.of(sentAtMillis), caller).onComplete(answer);
      } else {
        answer.fail(result.cause());
      }
      return;
    }
    List<PushOutcome> outcomes = result.result();
    if (outcomes.stream().noneMatch(GuardedPush::isUnreachable)) {
      progress.set();
      answer.complete(outcomes);
    } else {
      watch.doubt();
      keepTheRest(outcomes).onComplete(answer);
    }
  }

  /** Those of a divided push that could not be stored, while others were. */
  private Future<List<PushOutcome>> keepTheRest(List<PushOutcome> outcomes) {
    List<Integer> rest =
        IntStream.range(0, outcomes.size())
            .filter(i -> isUnreachable(outcomes.get(i)))
            .boxed()
            .toList();
    return intake
        .keep(rest.stream().map(messages::get).toList(), OptionalLong.of(sentAtMillis), caller)
        .map(
            kept -> {
              PushOutcome[] all = outcomes.toArray(PushOutcome[]::new);
              for (int i = 0; i < rest.size(); i++) {
                all[rest.get(i)] = kept.get(i);
              }
              return List.of(all);
            })
        .otherwise(outcomes);
  }

  private void late() {
    if (!decided.get() && !watch.isAway() && isStillWorthWaiting()) {
      // A real outage must be noticed all the same.
      watch.doubt();
      deadline = deadlines.add(this::late);
      return;
    }
    if (!decided.compareAndSet(false, true)) {
      return;
    }
    List<UUID> ids = messages.stream().map(Message::id).toList();
    inTheAir.addAll(ids);
    stored.onComplete(done -> ids.forEach(inTheAir::remove));
    watch.doubt();
    intake.keep(messages, OptionalLong.of(sentAtMillis), caller).onComplete(answer);
  }

  /** A large push takes long though nothing is wrong, and so do those behind it. */
  private boolean isStillWorthWaiting() {
    Duration patience = load.patience(deadlines.patience());
    return nanoTime.getAsLong() - begun < patience.toNanos();
  }

  private static boolean isUnreachable(PushOutcome outcome) {
    return outcome instanceof PushOutcome.Unanswered unanswered && unanswered.unreachable();
  }

  private static boolean isUnreachable(Throwable failure) {
    return failure instanceof BrokerException refusal
        && refusal.kind() == BrokerException.Kind.UNAVAILABLE;
  }
}
