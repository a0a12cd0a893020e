package dev.queenmq.server.sidecar.polling;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.Polled;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Supplier;

/** A poll for one queue, which waits in the room that the queue belongs to. */
public final class QueuePoll implements Poll {
  private final WaitingRooms.OwnedRoom owner;
  private final Supplier<Optional<BrokerException>> refusal;
  private final Future<Polled> answer;
  // Touched on the room's event loop.
  private Optional<WaitingRoomShell.Stay> stay = Optional.empty();
  private volatile boolean ended;
  private volatile boolean cancelled;

  /**
   * A poll.
   *
   * @param refusal why it is rejected, if it is
   */
  public QueuePoll(
      WaitingRooms.OwnedRoom owner,
      Supplier<Optional<BrokerException>> refusal,
      PollRequest request) {
    this.owner = owner;
    this.refusal = refusal;
    answer = owner.loop().call(() -> enter(request));
  }

  private Future<Polled> enter(PollRequest request) {
    Optional<BrokerException> refused = refusal.get();
    if (refused.isPresent()) {
      return Future.failedFuture(refused.get());
    }
    WaitingRoomShell.Stay entered = owner.room().enter(request);
    stay = Optional.of(entered);
    if (cancelled) {
      entered.cancel();
    } else if (ended) {
      entered.end();
    }
    return entered.answer();
  }

  @Override
  public Future<Polled> answer() {
    return answer;
  }

  @Override
  public void end() {
    ended = true;
    owner.loop().run(() -> stay.ifPresent(WaitingRoomShell.Stay::end));
  }

  @Override
  public void cancel() {
    cancelled = true;
    owner.loop().run(() -> stay.ifPresent(WaitingRoomShell.Stay::cancel));
  }
}
