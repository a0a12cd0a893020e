package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.broker.RefusedException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/**
 * Somebody with a connection who takes one step after the other. What breaks on the way is counted
 * and the next step follows; what nobody can have provoked is a violation.
 */
abstract class Actor {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(50);
  private static final String OVERLOADED = "status 503";

  private final Scene scene;
  private final Phase last;
  private final Wire wire;

  /** An actor that goes on until this phase is over. */
  Actor(Scene scene, Phase last) {
    this.scene = scene;
    this.last = last;
    wire = scene.newWire();
  }

  final Scene scene() {
    return scene;
  }

  final HttpLedger ledger() {
    return scene.ledger();
  }

  final Wire wire() {
    return wire;
  }

  /** One round of work. */
  abstract Future<Void> step();

  /** Completes when the actor has stopped. */
  final Future<Void> run() {
    Promise<Void> stopped = Promise.promise();
    scene.context().runOnContext(go -> next(stopped));
    return stopped.future().eventually(wire::close);
  }

  private void next(Promise<Void> stopped) {
    if (scene.phase().compareTo(last) > 0) {
      stopped.complete();
      return;
    }
    scene
        .context()
        .runOnContext(
            go ->
                Future.succeededFuture()
                    .compose(started -> step())
                    .recover(
                        failure -> {
                          note(failure);
                          return scene.pause(AFTER_FAILURE);
                        })
                    .onComplete(done -> next(stopped)));
  }

  /** Counts a failure. */
  final void note(Throwable failure) {
    if (failure instanceof CutException) {
      return;
    }
    boolean refused =
        failure instanceof RefusedException
            && !String.valueOf(failure.getMessage()).startsWith(OVERLOADED);
    if (refused || !(failure instanceof Exception) || failure instanceof IllegalStateException) {
      ledger().violations().add(Violation.UNEXPECTED, getClass().getSimpleName() + ": " + failure);
    } else {
      ledger().add(Count.CALLS_FAILED);
    }
  }
}
