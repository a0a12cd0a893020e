package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.Ledger;
import dev.queenmq.bench.audit.ledger.Violation;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/**
 * A client that takes one step after the other. A failure that the audit provokes is counted, and
 * the next step follows; any other failure is a violation.
 */
abstract class Actor {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(50);

  private final AuditContext audit;
  private final FrontEnd front;
  private final AuditContext.Phase last;

  /** An actor that goes on until this phase is over. */
  Actor(AuditContext audit, FrontEnd front, AuditContext.Phase last) {
    this.audit = audit;
    this.front = front;
    this.last = last;
  }

  final AuditContext audit() {
    return audit;
  }

  final AuditSettings settings() {
    return audit.settings();
  }

  final Ledger ledger() {
    return audit.ledger();
  }

  final Future<Void> pause(Duration time) {
    return audit.loop().pause(time);
  }

  final Future<Void> pauseMillis(int millis) {
    return pause(Duration.ofMillis(millis));
  }

  /** One round of work. */
  abstract Future<Void> step();

  /** What to do when it has stopped. */
  Future<Void> close() {
    return Future.succeededFuture();
  }

  /** Completes when the actor has stopped. */
  final Future<Void> run() {
    Promise<Void> stopped = Promise.promise();
    next(stopped);
    return stopped.future().eventually(this::close);
  }

  private void next(Promise<Void> stopped) {
    if (audit.phase().compareTo(last) > 0) {
      stopped.complete();
      return;
    }
    audit
        .loop()
        .context()
        .runOnContext(
            go ->
                Future.succeededFuture()
                    .compose(started -> step())
                    .recover(
                        failure -> {
                          note(failure);
                          return pause(AFTER_FAILURE);
                        })
                    .onComplete(done -> next(stopped)));
  }

  /** Counts a failure, and returns what it means. */
  final FrontEnd.Failure note(Throwable failure) {
    FrontEnd.Failure meaning = front.classify(failure);
    switch (meaning) {
      case CUT -> {}
      case PROVOKED -> ledger().add(Count.CALLS_FAILED);
      case UNEXPECTED ->
          violation(
              Violation.UNEXPECTED,
              getClass().getSimpleName() + ": " + failure + ", cause " + failure.getCause());
    }
    return meaning;
  }

  final void violation(Violation violation, String detail) {
    ledger().violations().add(violation, detail);
  }
}
