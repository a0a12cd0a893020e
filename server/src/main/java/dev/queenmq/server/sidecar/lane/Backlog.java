package dev.queenmq.server.sidecar.lane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The requests of a lane that wait to be sent, and which of them go next.
 *
 * <p>Small requests do not wait for large ones: each call takes the small ones first, up to half of
 * what it holds, and then at least one large one. So a client that sends a thousand messages at a
 * time, over many connections, delays the others by one call, not by all that it has piled up.
 *
 * <p>Requests that touch the same place keep the order in which they came. A small one that touches
 * the place of a large one that waits therefore stands in line behind it, as if it were large; and
 * a large one is only taken when all small ones that came before it are.
 *
 * @param <Q> an item of a request
 * @param <A> the answer to an item
 */
final class Backlog<Q, A> {
  /** A request is small if a call holds at least this many of its size. */
  private static final int SMALL_SHARE = 10;

  /** A request, and when it came. */
  private record Waiting<Q, A>(LaneRequest<Q, A> request, long number, Set<Object> places) {}

  private final int maxItems;
  private final long maxBytes;
  private final Function<Q, Object> place;
  private final Deque<Waiting<Q, A>> small = new ArrayDeque<>();
  private final Deque<Waiting<Q, A>> large = new ArrayDeque<>();
  // How many of the large ones touch a place, in the line or set aside.
  private final Map<Object, Integer> largePlaces = new HashMap<>();
  // Set aside because they touch an occupied place; their own places are occupied as well.
  private final Deque<Waiting<Q, A>> smallAside = new ArrayDeque<>();
  private final Deque<Waiting<Q, A>> largeAside = new ArrayDeque<>();
  private final Set<Object> occupied = new HashSet<>();
  // Of the small ones, in the line or set aside.
  private int smallItems;
  private long smallBytes;
  private long count;

  /**
   * An empty backlog.
   *
   * @param maxItems that one call holds, unless a single request has more
   * @param maxBytes likewise
   * @param place what an item may have to wait for, together with others of the same
   */
  Backlog(int maxItems, long maxBytes, Function<Q, Object> place) {
    this.maxItems = maxItems;
    this.maxBytes = maxBytes;
    this.place = place;
  }

  void add(LaneRequest<Q, A> request) {
    boolean isSmall =
        request.items.size() <= maxItems / SMALL_SHARE && request.bytes <= maxBytes / SMALL_SHARE;
    if (isSmall && (largePlaces.isEmpty() || isApart(request))) {
      small.add(new Waiting<>(request, count++, Set.of()));
      smallItems += request.items.size();
      smallBytes += request.bytes;
    } else {
      Set<Object> places = request.items.stream().map(place).collect(Collectors.toSet());
      places.forEach(each -> largePlaces.merge(each, 1, Integer::sum));
      large.add(new Waiting<>(request, count++, places));
    }
  }

  /** Whether such a request need not wait for large ones. */
  boolean isSmall(int items, long bytes) {
    return items <= maxItems / SMALL_SHARE && bytes <= maxBytes / SMALL_SHARE;
  }

  /** Items of small requests that wait. */
  int smallItems() {
    return smallItems;
  }

  long smallBytes() {
    return smallBytes;
  }

  /** All that wait, also those set aside. */
  int size() {
    return small.size() + large.size() + smallAside.size() + largeAside.size();
  }

  boolean isEmpty() {
    return size() == 0;
  }

  /** Whether there is a request that need not wait for an occupied place. */
  boolean sendable() {
    setAside();
    return !small.isEmpty() || !large.isEmpty();
  }

  /** Whether one call would not hold more. */
  boolean full() {
    int items = 0;
    long bytes = 0;
    for (Deque<Waiting<Q, A>> line : List.of(large, small)) {
      for (Waiting<Q, A> waiting : line) {
        items += waiting.request.items.size();
        bytes += waiting.request.bytes;
        if (items >= maxItems || bytes >= maxBytes) {
          return true;
        }
      }
    }
    return false;
  }

  /** How long the oldest has waited. */
  long waitedNanos(long now) {
    long waited = small.isEmpty() ? 0 : now - small.element().request.since;
    return large.isEmpty() ? waited : Math.max(waited, now - large.element().request.since);
  }

  /** Takes what goes in one call, in the order in which it is to happen. */
  List<LaneRequest<Q, A>> take() {
    Batch batch = new Batch();
    batch.fillWithSmall(maxItems / 2, maxBytes / 2);
    batch.fillWithLarge();
    batch.fillWithSmall(maxItems, maxBytes);
    return batch.requests;
  }

  /** From here on requests for the places of this one wait. */
  void occupy(LaneRequest<Q, A> request) {
    request.items.forEach(item -> occupied.add(place.apply(item)));
  }

  /** Frees all places except those of these requests. */
  void freeAllBut(Collection<LaneRequest<Q, A>> under) {
    while (!smallAside.isEmpty()) {
      small.addFirst(smallAside.removeLast());
    }
    while (!largeAside.isEmpty()) {
      large.addFirst(largeAside.removeLast());
    }
    occupied.clear();
    under.forEach(this::occupy);
  }

  private boolean isApart(LaneRequest<Q, A> request) {
    return request.items.stream().map(place).noneMatch(largePlaces::containsKey);
  }

  /**
   * A request that is set aside occupies more places, for which the other line may have to wait.
   */
  private void setAside() {
    while (stepsAside(small, smallAside) || stepsAside(large, largeAside)) {}
  }

  private boolean stepsAside(Deque<Waiting<Q, A>> line, Deque<Waiting<Q, A>> aside) {
    if (occupied.isEmpty() || line.isEmpty() || !waits(line.element().request)) {
      return false;
    }
    Waiting<Q, A> waiting = line.remove();
    occupy(waiting.request);
    aside.add(waiting);
    return true;
  }

  private boolean waits(LaneRequest<Q, A> request) {
    return request.items.stream().map(place).anyMatch(occupied::contains);
  }

  /** What one call takes. */
  private final class Batch {
    final List<LaneRequest<Q, A>> requests = new ArrayList<>();
    private int items;
    private long bytes;

    void fillWithSmall(int mostItems, long mostBytes) {
      while (!small.isEmpty()
          && (requests.isEmpty() || holds(small.element(), mostItems, mostBytes))) {
        Waiting<Q, A> next = small.remove();
        smallItems -= next.request.items.size();
        smallBytes -= next.request.bytes;
        put(next);
      }
    }

    void fillWithLarge() {
      boolean first = true;
      while (!large.isEmpty()
          && (small.isEmpty() || large.element().number < small.element().number)
          && (first || holds(large.element(), maxItems, maxBytes))) {
        Waiting<Q, A> next = large.remove();
        next.places.forEach(
            each -> largePlaces.computeIfPresent(each, (same, left) -> left > 1 ? left - 1 : null));
        put(next);
        first = false;
      }
    }

    private boolean holds(Waiting<Q, A> next, int mostItems, long mostBytes) {
      return items + next.request.items.size() <= mostItems
          && bytes + next.request.bytes <= mostBytes;
    }

    private void put(Waiting<Q, A> next) {
      requests.add(next.request);
      items += next.request.items.size();
      bytes += next.request.bytes;
      setAside();
    }
  }
}
