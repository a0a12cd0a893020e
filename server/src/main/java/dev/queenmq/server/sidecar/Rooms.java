package dev.queenmq.server.sidecar;

import java.util.List;
import java.util.function.Consumer;

/**
 * The waiting rooms of a broker, one on each event loop. A queue belongs to one of them. Safe for
 * any thread.
 */
final class Rooms {

  /** A room and where it lives. */
  record Place(EventLoop loop, RoomShell room) {}

  private final List<Place> places;

  Rooms(List<Place> places) {
    this.places = List.copyOf(places);
  }

  /** Where a queue belongs. */
  Place of(String queue) {
    return places.get(Ownership.of(queue, places.size()));
  }

  /** Does something in the room of a queue, on its event loop. */
  void in(String queue, Consumer<RoomShell> act) {
    Place place = of(queue);
    place.loop().run(() -> act.accept(place.room()));
  }

  /** Does something in every room. */
  void inAll(Consumer<RoomShell> act) {
    places.forEach(place -> place.loop().run(() -> act.accept(place.room())));
  }

  /** How often somebody who waits wants the tail to be looked at; the largest number: nobody. */
  int shortestInterval() {
    return places.stream()
        .mapToInt(place -> place.room().shortestInterval())
        .min()
        .orElse(Integer.MAX_VALUE);
  }

  /** Whether others seem to append or consume as well. */
  boolean suspicious() {
    return places.stream().anyMatch(place -> place.room().suspicious());
  }
}
