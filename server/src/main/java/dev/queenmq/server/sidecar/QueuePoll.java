package dev.queenmq.server.sidecar;

import io.vertx.core.Future;
import java.util.Optional;

/** A poll for one queue, which waits in the room of the queue's owner. */
final class QueuePoll implements Poll {
  private final Sidecar owner;
  private final Future<Polled> answer;
  // Touched on the owner's event loop.
  private Optional<Waiter> waiter = Optional.empty();
  private volatile boolean cancelled;

  QueuePoll(Sidecars sidecars, Sidecar owner, PollRequest request) {
    this.owner = owner;
    answer = sidecars.on(owner, () -> enter(request));
  }

  private Future<Polled> enter(PollRequest request) {
    Optional<BrokerException> refusal = owner.refusal();
    if (refusal.isPresent()) {
      return Future.failedFuture(refusal.get());
    }
    Waiter entered = owner.room().enter(request);
    waiter = Optional.of(entered);
    if (cancelled) {
      owner.room().cancel(entered);
    }
    return entered.answer.future();
  }

  @Override
  public Future<Polled> answer() {
    return answer;
  }

  @Override
  public void cancel() {
    cancelled = true;
    owner.context().runOnContext(go -> waiter.ifPresent(owner.room()::cancel));
  }
}
