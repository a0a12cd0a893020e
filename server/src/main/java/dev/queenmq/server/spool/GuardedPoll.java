package dev.queenmq.server.spool;

import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.Polled.EmptyReason;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A poll that gets nothing when its time is over and PostgreSQL is away, although its query may
 * still be in progress. Messages that come later are returned.
 */
final class GuardedPoll implements Poll {
  private final DatabaseWatch watch;
  private final Deadlines deadlines;
  private final PollRequest request;
  private final Poll poll;
  private final LongSupplier nanoTime;
  private final @Nullable Context caller = Vertx.currentContext();
  private final Promise<Polled> answer = Promise.promise();
  private final long over;
  private volatile Deadlines.Entry deadline;

  /**
   * Guards a poll.
   *
   * @param nanoTime as {@link System#nanoTime} counts
   * @param giveBack takes what comes too late
   */
  GuardedPoll(
      DatabaseWatch watch,
      Deadlines deadlines,
      PollRequest request,
      Poll poll,
      LongSupplier nanoTime,
      Consumer<Polled> giveBack) {
    this.watch = watch;
    this.deadlines = deadlines;
    this.request = request;
    this.poll = poll;
    this.nanoTime = nanoTime;
    over = nanoTime.getAsLong() + request.patience().toNanos();
    deadline = deadlines.add(this::look);
    poll.answer()
        .onComplete(
            done -> {
              deadline.answered();
              if (done.succeeded()) {
                if (!answer.tryComplete(done.result())) {
                  // It was under way when the poll was given up, too late to be cancelled.
                  giveBack.accept(done.result());
                }
              } else {
                answer.tryFail(done.cause());
              }
            });
  }

  @Override
  public Future<Polled> answer() {
    return answer.future();
  }

  @Override
  public void end() {
    poll.end();
  }

  @Override
  public void cancel() {
    poll.cancel();
  }

  private void look() {
    boolean late = nanoTime.getAsLong() - over >= 0;
    if (late && watch.isAway()) {
      if (caller == null) {
        giveUp();
      } else {
        caller.runOnContext(go -> giveUp());
      }
    } else if (!answer.future().isComplete()) {
      if (late) {
        watch.doubt();
      }
      deadline = deadlines.add(this::look);
    }
  }

  private void giveUp() {
    if (answer.tryComplete(new Polled(request.group(), List.of(), EmptyReason.TIMED_OUT))) {
      poll.cancel();
    }
  }
}
