package dev.queenmq.server.sidecar;

import dev.queenmq.server.store.PopOutcome;
import dev.queenmq.server.store.PopRequest;
import dev.queenmq.server.store.ReconcilePage;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What a sidecar does for its waiting room. */
final class RoomHouse implements WaitingRoom.House {
  private final Sidecar sidecar;
  private final Lane<PopRequest, PopOutcome> pops;
  private final Supplier<Future<Void>> look;

  RoomHouse(Sidecar sidecar, Lane<PopRequest, PopOutcome> pops, Supplier<Future<Void>> look) {
    this.sidecar = sidecar;
    this.pops = pops;
    this.look = look;
  }

  @Override
  public Future<List<PopOutcome>> pop(List<PopRequest> requests) {
    return pops.add(requests, 0);
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
