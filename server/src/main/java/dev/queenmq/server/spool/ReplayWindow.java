package dev.queenmq.server.spool;

import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.spool.log.SpoolEntry;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The oldest entries of the spool while they are replayed: which of them are settled, and which
 * partitions cannot go on now. Each partition goes on by itself, in order, so that one in trouble
 * holds up no other, as long as the window can grow. Belongs to the replay's thread.
 */
final class ReplayWindow {
  /** Entries of one partition that are pushed together. */
  record Part(PartitionName partition, List<Integer> positions) {}

  /** Why a partition has to wait, and how it goes on. */
  private static final class Trouble {
    long until;
    int faults;
    int refusals;
    boolean suspected;
    boolean full;
    int most = Integer.MAX_VALUE;
  }

  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;
  private static final int MOST_DOUBLINGS = 10;

  private final BitSet settled = new BitSet();
  private final BitSet sent = new BitSet();
  private final Set<PartitionName> busy = new HashSet<>();
  private final Map<Integer, String> dead = new HashMap<>();
  private final Map<PartitionName, Trouble> troubles = new HashMap<>();
  private List<SpoolEntry> entries = List.of();

  /** What the spool gives now: the same entries as before, and perhaps more. */
  void show(List<SpoolEntry> oldest) {
    entries = oldest;
  }

  /** The entries of the window are done with. */
  void clear() {
    entries = List.of();
    settled.clear();
    sent.clear();
    dead.clear();
    troubles.clear();
  }

  int size() {
    return entries.size();
  }

  SpoolEntry entry(int position) {
    return entries.get(position);
  }

  /** Whether PostgreSQL may have it already. */
  boolean isInDoubt(int position) {
    return sent.get(position) || entries.get(position).perhapsStored();
  }

  /** A part is on its way; its partition waits for the answer. */
  void sends(Part part) {
    busy.add(part.partition);
    part.positions.forEach(sent::set);
  }

  /** The answer to what was on its way is there. */
  void answered(Part part) {
    busy.remove(part.partition);
  }

  boolean isIdle() {
    return busy.isEmpty();
  }

  boolean isSettled() {
    return settled.cardinality() == entries.size();
  }

  Map<Integer, String> dead() {
    return dead;
  }

  /**
   * What can be pushed now.
   *
   * @param notYet entries that have to wait, and with them what follows them in their partition
   */
  List<Part> ready(int most, IntPredicate notYet, long nowNanos) {
    Map<PartitionName, Part> parts = new LinkedHashMap<>();
    Map<PartitionName, Boolean> closed = new HashMap<>();
    int taken = 0;
    for (int i = settled.nextClearBit(0); i < entries.size() && taken < most; ) {
      PartitionName partition = PartitionName.of(entries.get(i).message());
      boolean isOpen = !closed.computeIfAbsent(partition, each -> mustWait(each, nowNanos));
      if (isOpen && notYet.test(i)) {
        closed.put(partition, true);
        isOpen = false;
      }
      if (isOpen) {
        Part part = parts.computeIfAbsent(partition, each -> new Part(each, new ArrayList<>()));
        part.positions.add(i);
        taken++;
        if (part.positions.size() >= limit(partition)) {
          closed.put(partition, true);
        }
      }
      i = settled.nextClearBit(i + 1);
    }
    return List.copyOf(parts.values());
  }

  private boolean mustWait(PartitionName partition, long nowNanos) {
    Trouble trouble = troubles.get(partition);
    return busy.contains(partition) || (trouble != null && nowNanos - trouble.until < 0);
  }

  private int limit(PartitionName partition) {
    Trouble trouble = troubles.get(partition);
    return trouble == null ? Integer.MAX_VALUE : trouble.most;
  }

  void settle(int position) {
    settled.set(position);
  }

  /** It can never be stored. */
  void giveUp(int position, String reason) {
    settled.set(position);
    dead.put(position, reason);
    troubles.remove(PartitionName.of(entries.get(position).message()));
  }

  /** The queue of a partition has no room. */
  void noRoom(PartitionName partition) {
    troubles.computeIfAbsent(partition, each -> new Trouble()).full = true;
  }

  /** All that is left of partitions whose queues have no room. */
  List<Part> withoutRoom() {
    Map<PartitionName, Part> parts = new LinkedHashMap<>();
    for (int i = settled.nextClearBit(0); i < entries.size(); i = settled.nextClearBit(i + 1)) {
      PartitionName partition = PartitionName.of(entries.get(i).message());
      Trouble trouble = troubles.get(partition);
      if (trouble != null && trouble.full && !busy.contains(partition)) {
        parts
            .computeIfAbsent(partition, each -> new Part(each, new ArrayList<>()))
            .positions
            .add(i);
      }
    }
    return List.copyOf(parts.values());
  }

  /** A partition is to be tried again in a while, longer each time. */
  void holdUp(PartitionName partition, long nowNanos) {
    Trouble trouble = troubles.computeIfAbsent(partition, each -> new Trouble());
    long pause = FIRST_PAUSE_MILLIS << Math.min(trouble.faults, MOST_DOUBLINGS);
    trouble.faults++;
    trouble.until = nowNanos + Math.min(pause, LONGEST_PAUSE_MILLIS) * 1_000_000;
  }

  /**
   * This many of a partition together did not get an answer in time, or could not be stored now. Is
   * tried again in a while; from the second time on with half as many, because that number may take
   * longer than a statement may. The first time may be the end of a connection.
   */
  void slow(PartitionName partition, int together, long nowNanos) {
    holdUp(partition, nowNanos);
    Trouble trouble = troubles.computeIfAbsent(partition, each -> new Trouble());
    if (trouble.faults > 1 || trouble.most < Integer.MAX_VALUE) {
      trouble.most = Math.max(1, together / 2);
    }
  }

  /** Something of a partition was stored. */
  void goesOn(PartitionName partition) {
    Trouble trouble = troubles.get(partition);
    if (trouble != null) {
      trouble.faults = 0;
      trouble.refusals = 0;
      trouble.full = false;
      trouble.suspected = trouble.suspected && trouble.most < Integer.MAX_VALUE;
      trouble.most = trouble.most > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : 2 * trouble.most;
    }
  }

  /**
   * PostgreSQL refused this many of a partition together: half as many the next time, until the one
   * to blame stands alone.
   *
   * @param first is run if nothing of the partition was refused before
   * @return how often one alone was refused
   */
  int refused(PartitionName partition, int together, long nowNanos, Runnable first) {
    Trouble trouble = troubles.computeIfAbsent(partition, each -> new Trouble());
    if (!trouble.suspected) {
      trouble.suspected = true;
      first.run();
    }
    trouble.most = Math.max(1, together / 2);
    if (together > 1) {
      return 0;
    }
    holdUp(partition, nowNanos);
    return ++trouble.refusals;
  }
}
