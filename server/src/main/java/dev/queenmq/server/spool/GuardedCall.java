package dev.queenmq.server.spool;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;

/** A call that is given up when it takes long because PostgreSQL is away. */
final class GuardedCall<T> {
  private final DatabaseWatch watch;
  private final Deadlines deadlines;
  private final @Nullable Context caller = Vertx.currentContext();
  private final Promise<T> answer = Promise.promise();
  private volatile Deadlines.Entry deadline;

  GuardedCall(DatabaseWatch watch, Deadlines deadlines, Future<T> call) {
    this.watch = watch;
    this.deadlines = deadlines;
    deadline = deadlines.add(this::late);
    call.onComplete(
        done -> {
          deadline.answered();
          if (done.succeeded()) {
            answer.tryComplete(done.result());
          } else {
            watch.doubt();
            answer.tryFail(done.cause());
          }
        });
  }

  Future<T> answer() {
    return answer.future();
  }

  /** While PostgreSQL answers, it is worth waiting for. */
  private void late() {
    if (watch.isAway()) {
      if (caller == null) {
        giveUp();
      } else {
        caller.runOnContext(go -> giveUp());
      }
    } else if (!answer.future().isComplete()) {
      watch.doubt();
      deadline = deadlines.add(this::late);
    }
  }

  private void giveUp() {
    SpoolingBroker.<T>away().onFailure(answer::tryFail);
  }
}
