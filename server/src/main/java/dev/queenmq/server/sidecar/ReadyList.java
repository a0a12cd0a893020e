package dev.queenmq.server.sidecar;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a queue that may have something for a group, the longest waiting first; and
 * those that will, once a lease or a delay is over. A hint: the store decides.
 */
final class ReadyList {
  static final long NEVER = Long.MAX_VALUE;

  private record Due(long when, UUID partitionId) {}

  /** Under way; more: messages lie behind the batch. */
  private record Leased(long until, long seen, boolean more) {}

  private final Set<UUID> ready = new LinkedHashSet<>();
  private final Map<UUID, Leased> leased = new LinkedHashMap<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::when));
  // The earliest for each partition: later ones need not be kept.
  private final Map<UUID, Long> dueTimes = new HashMap<>();
  // Leases that ended during a look at the whole queue, which it may still have seen.
  private final Set<UUID> endedMeanwhile = new HashSet<>();
  private boolean looking;

  /** Nothing that it says counts any more. */
  void clear() {
    ready.clear();
    leased.clear();
    due.clear();
    dueTimes.clear();
  }

  /** A partition is gone. */
  void forget(UUID partitionId) {
    ready.remove(partitionId);
    leased.remove(partitionId);
    due.removeIf(each -> each.partitionId.equals(partitionId));
    dueTimes.remove(partitionId);
  }

  /** There may be something. While it is known to be leased, that waits for the lease's end. */
  void add(UUID partitionId) {
    Leased lease = leased.get(partitionId);
    if (lease == null) {
      ready.add(partitionId);
    } else if (!lease.more) {
      leased.replace(partitionId, new Leased(lease.until, lease.seen, true));
    }
  }

  /**
   * Its lease is over.
   *
   * @param done all that was leased is done: then there is something only if there was more
   */
  void released(UUID partitionId, boolean done) {
    Leased lease = ended(partitionId);
    if (lease == null || lease.more || !done) {
      ready.add(partitionId);
    }
  }

  /**
   * Another broker says that its lease is over.
   *
   * @param asking the store is being asked, and may have seen that lease
   * @return whether there may be something now
   */
  boolean freed(UUID partitionId, boolean asking) {
    Leased lease = ended(partitionId);
    return (lease == null ? asking : lease.more) && ready.add(partitionId);
  }

  private @Nullable Leased ended(UUID partitionId) {
    if (looking) {
      endedMeanwhile.add(partitionId);
    }
    return leased.remove(partitionId);
  }

  /** The store is asked for all partitions of the queue, also for those that are leased. */
  void lookBegins() {
    looking = true;
  }

  void lookEnds() {
    looking = false;
    endedMeanwhile.clear();
  }

  /**
   * A consumer of the group holds it until then.
   *
   * @param more there may be messages behind those that it holds
   */
  void leased(UUID partitionId, long until, long now, boolean more) {
    boolean waiting = ready.remove(partitionId);
    leased.remove(partitionId);
    leased.put(partitionId, new Leased(until, now, more || waiting));
  }

  /** It will have something then. */
  void dueAt(UUID partitionId, long when) {
    Long known = dueTimes.get(partitionId);
    if (known == null || when < known) {
      dueTimes.put(partitionId, when);
      due.add(new Due(when, partitionId));
    }
  }

  /**
   * The store saw it held by somebody. If it is on the list again, or a lease of it has ended, then
   * that was since the store was asked: perhaps the very end of that lease.
   */
  void seenLeased(UUID partitionId, long until, long now) {
    if (endedMeanwhile.contains(partitionId)) {
      ready.add(partitionId);
    } else if (!ready.contains(partitionId)) {
      leased(partitionId, until, now, true);
    }
  }

  /** The store saw nothing in it. If it is on the list again, something has come since. */
  void empty(UUID partitionId) {
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
      Due next = due.remove();
      dueTimes.remove(next.partitionId, next.when);
      add(next.partitionId);
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
