package dev.queenmq.server.sidecar.waiting;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is believed of a queue's partitions on behalf of one consumer group. A partition that is not
 * on the list is believed to be empty.
 *
 * <p>All of it is a hint: the store decides, and its answer corrects the list. Two rules keep a
 * wrong belief from hiding a message:
 *
 * <ul>
 *   <li><b>Events are newer than answers.</b> What happens while the store is asked may not be in
 *       its answer. Each event and each question has a number, and an answer never undoes an event
 *       that came after its question.
 *   <li><b>Each obstacle says when it was last seen.</b> A lease may end at another broker without
 *       notice. The list keeps what is held in the order in which PostgreSQL was last asked for it,
 *       so that it can tell at once whether that was after a poll arrived.
 * </ul>
 */
final class ReadyList {
  static final long NEVER = Long.MAX_VALUE;

  /** A lock on a cursor lasts as long as another statement. */
  private static final long BUSY_MILLIS = 5;

  /** A partition that stays locked for longer counts as held. */
  private static final long BUSY_LIMIT_MILLIS = 250;

  /** How many moments that no longer count may stand in line, besides one for each entry. */
  private static final int OUTDATED_LIMIT = 64;

  /** What is believed of a partition. */
  private enum Belief {
    /** There may be something: ask for it. */
    READY,
    /** A question for it is under way. */
    ASKED,
    /** PostgreSQL said that something is in the way, and until when: a lease, a delay, a pause. */
    HELD,
    /** PostgreSQL could not say: the cursor was locked. It is asked again in a moment. */
    BUSY;

    private static final Transitions<Belief> TABLE =
        new Transitions<>(Belief.class)
            .from(READY, ASKED)
            .from(ASKED, READY, HELD, BUSY)
            .from(HELD, READY, ASKED, HELD)
            .from(BUSY, READY);
  }

  private static final class Entry {
    final UUID id;

    /** Makes entries comparable that were verified by one question. */
    final long serial;

    @Nullable Belief belief;
    long due = NEVER;

    /** The moment under which it stands in the line of those that fall due. */
    long lined = NEVER;

    /** The number of the question that showed what holds it, and when that was. */
    long verified = Long.MIN_VALUE;

    long seenAt;

    /** The number of the last news. */
    long news = Long.MIN_VALUE;

    /** Messages lie behind what holds it, or may. */
    boolean more;

    /** The lease of a consumer of this broker, if that is what holds it. */
    @Nullable UUID lease;

    /** It was held when it was asked for. */
    boolean wasHeld;

    /** What held it was doubted, and it has not been asked for since. */
    boolean doubted;

    /** Since when it has been locked each time that it was asked for, and when that was last. */
    long busySince;

    long busyAt = Long.MIN_VALUE;

    Entry(UUID id, long serial) {
      this.id = id;
      this.serial = serial;
    }
  }

  private record Due(long when, Entry entry) {}

  private final Map<UUID, Entry> entries = new HashMap<>();
  private final Set<Entry> ready = new LinkedHashSet<>();
  private final NavigableSet<Entry> held =
      new TreeSet<>(
          Comparator.comparingLong((Entry each) -> each.verified)
              .thenComparingLong(each -> each.serial));
  private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::when));

  /** Leases that ended while pages of the queue are read, which may still show them. */
  private final Set<UUID> endedMeanwhile = new HashSet<>();

  private int asked;
  private int busy;
  private long serials;
  private boolean listing;

  /** Nothing that it says counts any more; what is asked for now stays to be answered. */
  void clear(long turn) {
    for (Entry entry : List.copyOf(entries.values())) {
      if (entry.belief == Belief.ASKED) {
        entry.news = turn;
      } else {
        remove(entry);
      }
    }
  }

  /** A partition is gone. */
  void forget(UUID id) {
    Entry entry = entries.get(id);
    if (entry != null && entry.belief != Belief.ASKED) {
      remove(entry);
    }
  }

  /** A partition got messages. While something holds it, they wait behind that. */
  void appended(UUID id, long turn) {
    Entry entry = entries.get(id);
    if (entry == null) {
      become(add(id), Belief.READY);
    } else if (entry.belief == Belief.ASKED) {
      entry.news = turn;
    } else if (entry.belief == Belief.HELD) {
      entry.more = true;
    }
  }

  /** Ask for a partition, whatever is believed of it. */
  void question(UUID id, long turn) {
    Entry entry = entries.get(id);
    if (entry == null) {
      become(add(id), Belief.READY);
    } else if (entry.belief == Belief.ASKED) {
      entry.news = turn;
    } else if (entry.belief != Belief.READY) {
      become(entry, Belief.READY);
    }
  }

  /**
   * A lease is over, as this broker's own call has brought about.
   *
   * @param lease which one, if that is known
   * @param done all that was leased is done: then there is something only if there was more
   * @return whether the lease was given by another broker, as far as is known
   */
  boolean ended(UUID id, Optional<UUID> lease, boolean done, long turn) {
    remember(id);
    Entry entry = entries.get(id);
    boolean foreign = entry == null || entry.lease == null;
    if (entry == null) {
      // Given by another broker: what lies behind it may not have been heard of here yet.
      become(add(id), Belief.READY);
    } else if (entry.belief == Belief.ASKED) {
      entry.news = turn;
    } else if (entry.belief == Belief.HELD) {
      // Two calls may be answered in another order than they were made: is it still this lease?
      boolean same = entry.lease != null && lease.equals(Optional.of(entry.lease));
      if (entry.more || !done || !same) {
        become(entry, Belief.READY);
      } else {
        remove(entry);
      }
    }
    return foreign;
  }

  /**
   * Another broker reports that a lease is over. A list that never saw the lease misses nothing.
   */
  void freed(UUID id, long turn) {
    remember(id);
    Entry entry = entries.get(id);
    if (entry != null && entry.belief == Belief.ASKED) {
      entry.news = turn;
    } else if (entry != null && entry.belief == Belief.HELD) {
      become(entry, Belief.READY);
    }
  }

  private void remember(UUID id) {
    if (listing) {
      endedMeanwhile.add(id);
    }
  }

  /** Pages of all partitions of the queue are read from now on. */
  void listingBegins() {
    listing = true;
    endedMeanwhile.clear();
  }

  void listingEnds() {
    listing = false;
    endedMeanwhile.clear();
  }

  /**
   * A page says that a partition has something.
   *
   * @param free from when on; a past moment: now
   * @param turn the number of the page's question
   */
  void listed(UUID id, long free, long turn, long now) {
    Entry entry = entries.get(id);
    if (entry == null) {
      entry = add(id);
      if (free > now && !endedMeanwhile.contains(id)) {
        hold(entry, free, true, turn, now);
      } else {
        become(entry, Belief.READY);
      }
    } else if (entry.belief == Belief.HELD && entry.verified < turn) {
      if (free > now && !endedMeanwhile.contains(id)) {
        hold(entry, free, true, turn, now);
      } else {
        become(entry, Belief.READY);
      }
    }
  }

  /** Whether nothing is to be asked for. */
  boolean isEmpty() {
    return ready.isEmpty();
  }

  int readyCount() {
    return ready.size();
  }

  /** Whether it knows of nothing at all. */
  boolean knowsNothing() {
    return entries.isEmpty();
  }

  /**
   * Takes partitions that may have messages, to ask for them: the longest waiting first, and those
   * that another broker probably holds last.
   */
  List<UUID> take(int count, Predicate<UUID> heldElsewhere) {
    List<Entry> first = new ArrayList<>();
    List<Entry> last = new ArrayList<>();
    Iterator<Entry> oldest = ready.iterator();
    while (first.size() < count && last.size() < count && oldest.hasNext()) {
      Entry entry = oldest.next();
      (heldElsewhere.test(entry.id) ? last : first).add(entry);
    }
    List<UUID> taken = new ArrayList<>(count);
    for (List<Entry> part : List.of(first, last)) {
      for (Entry entry : part) {
        if (taken.size() < count) {
          taken.add(ask(entry, false));
        }
      }
    }
    return taken;
  }

  /** Whether it says anything about a partition. */
  boolean knows(UUID id) {
    return entries.containsKey(id);
  }

  /** Takes a partition of which it says nothing, to ask for it. */
  void takeNew(UUID id) {
    Entry entry = add(id);
    become(entry, Belief.READY);
    ask(entry, false);
  }

  /** Takes held partitions for which PostgreSQL was last asked before a turn. */
  List<UUID> takeHeld(long before, int count) {
    List<UUID> taken = new ArrayList<>();
    while (taken.size() < count && !held.isEmpty() && held.first().verified < before) {
      taken.add(ask(held.first(), true));
    }
    return taken;
  }

  private UUID ask(Entry entry, boolean wasHeld) {
    entry.wasHeld = wasHeld;
    become(entry, Belief.ASKED);
    return entry.id;
  }

  /**
   * Whether PostgreSQL has said of everything on the list that there is nothing, after a turn. A
   * partition whose obstacle may be gone is not proven.
   */
  boolean proven(long since) {
    return ready.isEmpty()
        && asked == 0
        && busy == 0
        && (held.isEmpty() || held.first().verified >= since);
  }

  /**
   * A consumer of this broker got messages of a partition.
   *
   * @param more messages lie behind those
   * @return whether it was believed to be held: then the lease had ended elsewhere
   */
  boolean granted(UUID id, UUID lease, long until, boolean more, long turn, long now) {
    Entry entry = unlocked(id);
    boolean foreign = (entry.wasHeld || entry.doubted) && entry.due > now;
    hold(entry, until, more || entry.news > turn, turn, now);
    entry.lease = lease;
    return foreign;
  }

  /** The same without a lease. */
  void drained(UUID id, boolean more, long turn) {
    Entry entry = unlocked(id);
    if (more || entry.news > turn) {
      become(entry, Belief.READY);
    } else {
      remove(entry);
    }
  }

  /**
   * Something is in the way of a partition.
   *
   * @return whether that is news: a consumer of another broker may hold it
   */
  boolean refused(UUID id, long until, long turn, long now) {
    Entry entry = unlocked(id);
    boolean foreign = entry.lease == null;
    if (entry.news > turn) {
      become(entry, Belief.READY);
    } else {
      @Nullable UUID own = entry.lease;
      hold(entry, until, true, turn, now);
      entry.lease = own;
    }
    return foreign;
  }

  /** The cursor was not locked. If it is locked again, that is another lock. */
  private Entry unlocked(UUID id) {
    Entry entry = answered(id);
    entry.busyAt = Long.MIN_VALUE;
    return entry;
  }

  /** Its cursor is locked. */
  void busy(UUID id, long turn, long now) {
    Entry entry = answered(id);
    if (entry.busyAt < now - BUSY_LIMIT_MILLIS) {
      entry.busySince = now;
    }
    entry.busyAt = now;
    if (now - entry.busySince >= BUSY_LIMIT_MILLIS) {
      hold(entry, now + BUSY_MILLIS, true, turn, now);
    } else {
      become(entry, Belief.BUSY);
      line(entry, now + BUSY_MILLIS);
    }
  }

  /** There is nothing in it. */
  void empty(UUID id, long turn) {
    drained(id, false, turn);
  }

  /** Ask for it again. */
  void again(UUID id) {
    become(answered(id), Belief.READY);
  }

  /** The store did not say anything about it. */
  void unanswered(UUID id, long turn) {
    Entry entry = entries.get(id);
    if (entry == null || entry.belief != Belief.ASKED) {
      return;
    }
    if (entry.wasHeld && entry.news <= turn) {
      @Nullable UUID own = entry.lease;
      hold(entry, entry.due, entry.more, entry.verified, entry.seenAt);
      entry.lease = own;
    } else {
      become(entry, Belief.READY);
    }
  }

  private Entry answered(UUID id) {
    Entry entry = entries.get(id);
    if (entry == null) {
      // Asked for by name, or forgotten meanwhile.
      entry = add(id);
      become(entry, Belief.READY);
    }
    if (entry.belief != Belief.ASKED) {
      if (entry.belief != Belief.READY) {
        become(entry, Belief.READY);
      }
      become(entry, Belief.ASKED);
      entry.wasHeld = false;
    }
    return entry;
  }

  /** Makes ready what has fallen due. */
  void advance(long now) {
    while (!due.isEmpty() && due.peek().when <= now) {
      Due next = out();
      if (isDue(next)) {
        become(next.entry, Belief.READY);
      }
    }
  }

  private Due out() {
    Due next = due.remove();
    if (next.entry.lined == next.when) {
      next.entry.lined = NEVER;
    }
    return next;
  }

  /** When something falls due next. */
  long nextDue() {
    while (!due.isEmpty() && !isDue(due.peek())) {
      out();
    }
    return due.isEmpty() ? NEVER : due.peek().when;
  }

  private boolean isDue(Due each) {
    return each.entry.due == each.when
        && (each.entry.belief == Belief.HELD || each.entry.belief == Belief.BUSY);
  }

  /** Asks again for a few of those held that PostgreSQL was last asked for before a moment. */
  void doubt(long seenBefore, int count) {
    int doubted = 0;
    while (doubted < count && !held.isEmpty() && held.first().seenAt < seenBefore) {
      Entry entry = held.first();
      become(entry, Belief.READY);
      entry.doubted = true;
      doubted++;
    }
  }

  private Entry add(UUID id) {
    Entry entry = new Entry(id, serials++);
    entries.put(id, entry);
    return entry;
  }

  private void hold(Entry entry, long until, boolean more, long verified, long seenAt) {
    leave(entry);
    entry.verified = verified;
    entry.seenAt = seenAt;
    entry.more = more;
    entry.lease = null;
    entry.doubted = false;
    enter(entry, Belief.HELD);
    line(entry, until);
  }

  private void line(Entry entry, long moment) {
    entry.due = moment;
    // Once, however often the same obstacle is seen.
    if (entry.lined != moment && moment != NEVER) {
      entry.lined = moment;
      due.add(new Due(moment, entry));
      if (due.size() > 2 * entries.size() + OUTDATED_LIMIT) {
        lineUpAgain();
      }
    }
  }

  /**
   * Drops the moments that no longer count. Most leases end long before they expire, and the moment
   * of each would stay until then: with long leases, more than the heap can hold.
   */
  private void lineUpAgain() {
    due.clear();
    for (Entry entry : entries.values()) {
      boolean waits = entry.belief == Belief.HELD || entry.belief == Belief.BUSY;
      entry.lined = waits ? entry.due : NEVER;
      if (entry.lined != NEVER) {
        due.add(new Due(entry.lined, entry));
      }
    }
  }

  /** How many moments stand in line, those that no longer count among them. */
  int lined() {
    return due.size();
  }

  private void become(Entry entry, Belief next) {
    leave(entry);
    enter(entry, next);
  }

  private void leave(Entry entry) {
    Belief before = entry.belief;
    if (before == Belief.READY) {
      ready.remove(entry);
    } else if (before == Belief.ASKED) {
      asked--;
    } else if (before == Belief.HELD) {
      held.remove(entry);
    } else if (before == Belief.BUSY) {
      busy--;
    }
  }

  private void enter(Entry entry, Belief next) {
    Belief before = entry.belief;
    entry.belief = before == null ? next : Belief.TABLE.next(before, next);
    switch (next) {
      case READY -> {
        entry.lease = null;
        ready.add(entry);
      }
      case ASKED -> asked++;
      case HELD -> held.add(entry);
      case BUSY -> busy++;
    }
  }

  private void remove(Entry entry) {
    leave(entry);
    entries.remove(entry.id);
    entry.belief = null;
  }
}
