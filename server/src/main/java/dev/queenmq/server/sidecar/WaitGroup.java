package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.Polled.Nothing;
import dev.queenmq.server.store.PopRequest;
import dev.queenmq.server.store.PopTarget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The polls of one consumer group for one queue, or for one partition of it. One question to the
 * store serves all of them: each gets partitions of its own to ask for, first come first served.
 */
abstract class WaitGroup {

  /** So many leases are doubted at a time. */
  private static final int DOUBTS = 50;

  /** So many partitions are remembered as put off. */
  private static final int PUT_OFF = 10_000;

  /** A question on behalf of a waiter. */
  record Ask(Waiter waiter, PopRequest request, List<UUID> candidates) {}

  final String queue;
  final String group;
  final GroupBackoff backoff;
  final Set<Waiter> waiters = new LinkedHashSet<>();

  final GroupAlarm alarm;
  final Peers peers;

  /** The store said that an operator has paused pops, and has not said otherwise since. */
  private boolean stopped;

  /** When it is asked again, in case that nobody says when the pause is over. */
  private long probeAt;

  WaitGroup(String queue, String group, QueueRoom.Doors doors) {
    this.queue = queue;
    this.group = group;
    this.peers = doors.peers();
    this.backoff = new GroupBackoff(doors.backoff());
    this.alarm = doors.alarms().get();
  }

  /**
   * The store gave a waiter nothing, because an operator has paused pops.
   *
   * @param until when to ask again
   */
  void stopped(Waiter waiter, long until) {
    stopped = true;
    probeAt = until;
    waiter.stopped = true;
  }

  /** Pops are not paused, or there is no telling. */
  void resumed() {
    stopped = false;
  }

  /** When to ask again after a pause; never, if there is none. */
  long nextProbe() {
    return stopped ? probeAt : ReadyList.NEVER;
  }

  /** Why a waiter goes without messages. */
  Nothing reason(Waiter waiter) {
    if (stopped && waiter.stopped) {
      return Nothing.PAUSED;
    }
    return waiter.request.patience().isZero() ? waiter.reason : Nothing.TIMED_OUT;
  }

  /**
   * Whom to ask for. During a pause these are the waiters that came after the last answer, and now
   * and then one of the others.
   */
  List<Waiter> hopeful(long now) {
    if (!stopped) {
      return List.copyOf(waiters);
    }
    boolean probe = now >= probeAt;
    List<Waiter> hopeful = new ArrayList<>();
    for (Waiter waiter : waiters) {
      if (!waiter.stopped || probe) {
        probe &= !waiter.stopped;
        hopeful.add(waiter);
      }
    }
    return hopeful;
  }

  /** What to ask the store now; nothing if there is no hint that it has anything. */
  abstract List<Ask> asks(long now);

  /** When something falls due, as far as is known. */
  abstract long nextDue();

  /** Doubts leases last seen before a moment: they may have ended on another broker. */
  abstract void doubt(long seenBefore);

  /** Any partition of the queue. */
  static final class AnyPartition extends WaitGroup {
    final ReadyList ready;

    /** A partition that is held elsewhere, as a peer says, is put off so long, and only once. */
    private final int putOffMillis;

    private final Set<UUID> putOff = new HashSet<>();

    AnyPartition(String queue, String group, QueueRoom.Doors doors, ReadyList ready) {
      super(queue, group, doors);
      this.ready = ready;
      this.putOffMillis = doors.backoff().maxMillis();
    }

    @Override
    List<Ask> asks(long now) {
      ready.advance(now);
      List<Ask> asks = new ArrayList<>();
      for (Waiter waiter : hopeful(now)) {
        if (ready.isEmpty()) {
          break;
        }
        PollRequest wanted = waiter.request;
        List<UUID> candidates = candidates(wanted.maxPartitions(), now);
        if (candidates.isEmpty()) {
          break;
        }
        asks.add(
            new Ask(
                waiter,
                new PopRequest(
                    new PopTarget.Candidates(Optional.of(queue), candidates),
                    group,
                    wanted.batch(),
                    wanted.maxPartitions(),
                    wanted.autoAck(),
                    wanted.subscription(),
                    wanted.holder()),
                candidates));
      }
      return asks;
    }

    /** Those that nobody is known to hold come first. */
    private List<UUID> candidates(int count, long now) {
      List<UUID> candidates = new ArrayList<>(count);
      while (candidates.size() < count && !ready.isEmpty()) {
        for (UUID id : ready.take(count - candidates.size())) {
          if (!putOff.remove(id) && peers.leasedElsewhere(id, group)) {
            if (putOff.size() >= PUT_OFF) {
              putOff.clear();
            }
            putOff.add(id);
            ready.leased(id, now + putOffMillis, now, true);
          } else {
            candidates.add(id);
          }
        }
      }
      return candidates;
    }

    @Override
    long nextDue() {
      return Math.min(ready.nextDue(), ready.isEmpty() ? ReadyList.NEVER : nextProbe());
    }

    @Override
    void doubt(long seenBefore) {
      ready.doubt(seenBefore, DOUBTS);
    }
  }

  /** One partition. */
  static final class OnePartition extends WaitGroup {
    private final String partition;
    private boolean hinted = true;
    private long due = ReadyList.NEVER;
    private long askedAt;

    OnePartition(String queue, String partition, String group, QueueRoom.Doors doors) {
      super(queue, group, doors);
      this.partition = partition;
    }

    /** It is not there under the id that was remembered: ask again by name. */
    void missing() {
      peers.partitionMissing(queue, partition);
      hint();
    }

    void hint() {
      hinted = true;
    }

    void dueAt(long when) {
      due = when;
    }

    @Override
    List<Ask> asks(long now) {
      if (due <= now) {
        hinted = true;
        due = ReadyList.NEVER;
      }
      if (!hinted || waiters.isEmpty()) {
        return List.of();
      }
      hinted = false;
      askedAt = now;
      // One lease per partition and group: what the first does not get, the second cannot.
      Waiter first = waiters.iterator().next();
      PollRequest wanted = first.request;
      // By id it is cheaper, but a lock is not waited for: not for one who asks only once.
      Optional<UUID> id = first.lastLook ? Optional.empty() : peers.partitionId(queue, partition);
      return List.of(
          new Ask(
              first,
              new PopRequest(
                  id.<PopTarget>map(
                          known -> new PopTarget.Candidates(Optional.of(queue), List.of(known)))
                      .orElseGet(() -> new PopTarget.Named(queue, partition)),
                  group,
                  wanted.batch(),
                  1,
                  wanted.autoAck(),
                  wanted.subscription(),
                  wanted.holder()),
              id.map(List::of).orElse(List.of())));
    }

    @Override
    long nextDue() {
      return due;
    }

    @Override
    void doubt(long seenBefore) {
      // Something holds it, or will let it go: that may be over by now.
      if (due != ReadyList.NEVER && askedAt < seenBefore) {
        hinted = true;
      }
    }
  }
}
