package dev.queenmq.server.sidecar;

import dev.queenmq.server.store.PopOutcome;
import dev.queenmq.server.store.PopRequest;
import dev.queenmq.server.store.PopTarget;
import dev.queenmq.server.store.ReconcilePage;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What a sidecar does for its waiting room. */
final class RoomHouse implements WaitingRoom.House {
  private final Sidecar sidecar;
  private final Lane<PopRequest, PopOutcome> pops;
  private final Supplier<Future<Void>> look;
  private final BooleanSupplier paused;

  RoomHouse(
      Sidecar sidecar,
      Lane<PopRequest, PopOutcome> pops,
      Supplier<Future<Void>> look,
      BooleanSupplier paused) {
    this.sidecar = sidecar;
    this.pops = pops;
    this.look = look;
    this.paused = paused;
  }

  @Override
  public Future<List<PopOutcome>> pop(List<PopRequest> requests) {
    if (paused.getAsBoolean() && !requests.stream().allMatch(RoomHouse::takesNothing)) {
      // As when PostgreSQL is away: who waits asks again later.
      return Future.failedFuture(
          new BrokerException(BrokerException.Kind.UNAVAILABLE, "Pops are paused"));
    }
    return pops.add(requests, 0);
  }

  /** A group's first contact, from which it subscribes. */
  private static boolean takesNothing(PopRequest request) {
    return request.target() instanceof PopTarget.Candidates some && some.partitionIds().isEmpty();
  }

  @Override
  public Future<ReconcilePage> reconcile(
      String queue, String group, Optional<String> after, int partitions) {
    return sidecar.store().reconcile(queue, group, after, partitions);
  }

  @Override
  public Future<Void> look() {
    return look.get();
  }

  @Override
  public void release(Polled undelivered) {
    sidecar.release(undelivered);
  }

  @Override
  public Traffic traffic() {
    return sidecar.traffic();
  }
}
