package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.WaitGroup.AnyPartition;
import dev.queenmq.server.store.PopRequest;
import dev.queenmq.server.store.PopTarget;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * A group's first contact with a queue on this broker: records where it starts, whether there is
 * anything or not, and finds out which partitions have something for it.
 */
final class FirstContact {
  /** Partitions per page of a full look at a queue. */
  private static final int PAGE = 2000;

  private final WaitingRoom.House house;
  private final PopNotes notes;

  FirstContact(WaitingRoom.House house, PopNotes notes) {
    this.house = house;
    this.notes = notes;
  }

  Future<Void> of(AnyPartition group, PollRequest first) {
    PopRequest contact =
        new PopRequest(
            new PopTarget.Candidates(Optional.of(group.queue), List.of()),
            group.group,
            1,
            1,
            first.autoAck(),
            first.subscription());
    group.ready.lookBegins();
    return house
        .pop(List.of(contact))
        .compose(recorded -> page(group, Optional.empty()))
        .onComplete(done -> group.ready.lookEnds());
  }

  private Future<Void> page(AnyPartition group, Optional<String> after) {
    return house
        .reconcile(group.queue, group.group, after, PAGE)
        .compose(
            page -> {
              notes.note(group.ready, page.ready());
              return page.next().isPresent() ? page(group, page.next()) : Future.succeededFuture();
            });
  }
}
