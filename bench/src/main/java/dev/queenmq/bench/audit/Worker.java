package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.Stage.Phase;
import dev.queenmq.server.model.StoreException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgException;
import java.time.Duration;

/**
 * Somebody who takes one step after the other on a context of its own. What breaks on the way is
 * counted and the next step follows; what nobody can have provoked is a violation.
 */
abstract class Worker {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(50);
  private static final String DEADLOCK = "40P01";

  private final Stage stage;
  private final Context context;
  private final Phase last;

  /** A worker that goes on until this phase is over. */
  Worker(Stage stage, Context context, Phase last) {
    this.stage = stage;
    this.context = context;
    this.last = last;
  }

  final Stage stage() {
    return stage;
  }

  final Context context() {
    return context;
  }

  /** One round of work. */
  abstract Future<Void> step();

  /** Completes when the worker has stopped. */
  final Future<Void> run() {
    Promise<Void> stopped = Promise.promise();
    next(stopped);
    return stopped.future();
  }

  private void next(Promise<Void> stopped) {
    if (stage.phase().compareTo(last) > 0) {
      stopped.complete();
      return;
    }
    context.runOnContext(
        go ->
            Future.succeededFuture()
                .compose(started -> step())
                .recover(this::afterFailure)
                .onComplete(done -> next(stopped)));
  }

  private Future<Void> afterFailure(Throwable failure) {
    note(failure);
    return stage.pause(AFTER_FAILURE);
  }

  /** Counts a failure; answers whether the same call may be tried again. */
  final boolean note(Throwable failure) {
    if (failure instanceof StoreException store && store.kind() != StoreException.Kind.INTERNAL) {
      stage.ledger().tally().add(Tally.Count.CALLS_FAILED);
      if (store.getCause() instanceof PgException pg && DEADLOCK.equals(pg.getSqlState())) {
        stage.ledger().violations().add(Violation.DEADLOCK, String.valueOf(pg.getMessage()));
      }
      return true;
    }
    stage
        .ledger()
        .violations()
        .add(
            Violation.UNEXPECTED,
            getClass().getSimpleName() + ": " + failure + ", cause " + failure.getCause());
    return false;
  }
}
