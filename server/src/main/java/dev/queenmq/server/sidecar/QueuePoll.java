package dev.queenmq.server.sidecar;

import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.Polled;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Supplier;

/** A poll for one queue, which waits in the room that the queue belongs to. */
final class QueuePoll implements Poll {
  private final Rooms.Place place;
  private final Supplier<Optional<BrokerException>> refusal;
  private final Future<Polled> answer;
  // Touched on the room's event loop.
  private Optional<RoomShell.Stay> stay = Optional.empty();
  private volatile boolean cancelled;

  /**
   * A poll.
   *
   * @param refusal why it cannot be taken in, if so
   */
  QueuePoll(Rooms.Place place, Supplier<Optional<BrokerException>> refusal, PollRequest request) {
    this.place = place;
    this.refusal = refusal;
    answer = place.loop().call(() -> enter(request));
  }

  private Future<Polled> enter(PollRequest request) {
    Optional<BrokerException> refused = refusal.get();
    if (refused.isPresent()) {
      return Future.failedFuture(refused.get());
    }
    RoomShell.Stay entered = place.room().enter(request);
    stay = Optional.of(entered);
    if (cancelled) {
      entered.cancel();
    }
    return entered.answer();
  }

  @Override
  public Future<Polled> answer() {
    return answer;
  }

  @Override
  public void cancel() {
    cancelled = true;
    place.loop().run(() -> stay.ifPresent(RoomShell.Stay::cancel));
  }
}
