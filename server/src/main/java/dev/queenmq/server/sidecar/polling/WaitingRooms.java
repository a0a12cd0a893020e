package dev.queenmq.server.sidecar.polling;

import dev.queenmq.server.sidecar.lane.EventLoop;
import java.util.List;
import java.util.function.Consumer;

/**
 * The waiting rooms of a broker, one on each event loop. A queue belongs to one of them. Safe for
 * any thread.
 */
public final class WaitingRooms {

  /** A room and where it lives. */
  public record OwnedRoom(EventLoop loop, WaitingRoomShell room) {}

  private final List<OwnedRoom> owners;

  public WaitingRooms(List<OwnedRoom> owners) {
    this.owners = List.copyOf(owners);
  }

  /** Where a queue belongs. */
  public OwnedRoom of(String queue) {
    return owners.get(Ownership.of(queue, owners.size()));
  }

  /** Does something in the room of a queue, on its event loop. */
  public void onOwner(String queue, Consumer<WaitingRoomShell> act) {
    OwnedRoom owner = of(queue);
    owner.loop().run(() -> act.accept(owner.room()));
  }

  /** Does something in every room. */
  void inAll(Consumer<WaitingRoomShell> act) {
    owners.forEach(owner -> owner.loop().run(() -> act.accept(owner.room())));
  }

  /**
   * The interval at which waiting polls want the tail to be queried; the largest number if none
   * waits.
   */
  int shortestInterval() {
    return owners.stream()
        .mapToInt(owner -> owner.room().shortestInterval())
        .min()
        .orElse(Integer.MAX_VALUE);
  }

  /** Whether others seem to append or consume as well. */
  boolean suspicious() {
    return owners.stream().anyMatch(owner -> owner.room().suspicious());
  }
}
