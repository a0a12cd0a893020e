package dev.queenmq.server.sidecar;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.UUID;

/**
 * The partitions of a queue that may have something for a group, the longest waiting first; and
 * those that will, once a lease or a delay is over. A hint: the store decides.
 */
final class ReadyList {
  static final long NEVER = Long.MAX_VALUE;

  private record Due(long when, UUID partitionId) {}

  private record Leased(long until, long seen) {}

  private final Set<UUID> ready = new LinkedHashSet<>();
  private final Map<UUID, Leased> leased = new LinkedHashMap<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::when));

  /** There may be something. While it is known to be leased, its end will tell. */
  boolean add(UUID partitionId) {
    return !leased.containsKey(partitionId) && ready.add(partitionId);
  }

  /** Its lease is over. */
  void released(UUID partitionId) {
    leased.remove(partitionId);
    ready.add(partitionId);
  }

  /** A consumer of the group holds it until then. */
  void leased(UUID partitionId, long until, long now) {
    ready.remove(partitionId);
    leased.remove(partitionId);
    leased.put(partitionId, new Leased(until, now));
  }

  /** It will have something then. */
  void dueAt(UUID partitionId, long when) {
    ready.remove(partitionId);
    due.add(new Due(when, partitionId));
  }

  /** It has nothing. */
  void empty(UUID partitionId) {
    ready.remove(partitionId);
    leased.remove(partitionId);
  }

  boolean isEmpty() {
    return ready.isEmpty();
  }

  /** Takes up to so many off the list. */
  List<UUID> take(int count) {
    List<UUID> taken = new ArrayList<>(Math.min(count, ready.size()));
    Iterator<UUID> oldest = ready.iterator();
    while (taken.size() < count && oldest.hasNext()) {
      taken.add(oldest.next());
      oldest.remove();
    }
    return taken;
  }

  /** Makes ready what has fallen due. */
  void advance(long now) {
    while (!due.isEmpty() && due.peek().when <= now) {
      add(due.remove().partitionId);
    }
    Iterator<Map.Entry<UUID, Leased>> oldest = leased.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<UUID, Leased> first = oldest.next();
      if (first.getValue().until > now) {
        // Leases of a queue last equally long, so the others end later; nearly always.
        return;
      }
      oldest.remove();
      ready.add(first.getKey());
    }
  }

  /** When something falls due next. */
  long nextDue() {
    long next = due.isEmpty() ? NEVER : due.peek().when;
    return leased.isEmpty() ? next : Math.min(next, leased.values().iterator().next().until);
  }

  /**
   * Doubts leases that were last seen before a moment: they may have ended on another broker. They
   * are looked at again, a few at a time.
   */
  void doubt(long seenBefore, int count) {
    Iterator<Map.Entry<UUID, Leased>> oldest = leased.entrySet().iterator();
    int doubted = 0;
    while (doubted < count && oldest.hasNext()) {
      Map.Entry<UUID, Leased> entry = oldest.next();
      if (entry.getValue().seen < seenBefore) {
        oldest.remove();
        ready.add(entry.getKey());
        doubted++;
      }
    }
  }
}
