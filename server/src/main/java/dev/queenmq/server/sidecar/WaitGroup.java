package dev.queenmq.server.sidecar;

import dev.queenmq.server.store.PopRequest;
import dev.queenmq.server.store.PopTarget;
import java.util.ArrayList;
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

  /** A question on behalf of a waiter. */
  record Ask(Waiter waiter, PopRequest request, List<UUID> candidates) {}

  final String queue;
  final String group;
  final GroupBackoff backoff;
  final Set<Waiter> waiters = new LinkedHashSet<>();

  /** Of the next moment at which something falls due. */
  long alarm = ReadyList.NEVER;

  long alarmTimer = Waiter.NO_TIMER;

  WaitGroup(String queue, String group, GroupBackoff backoff) {
    this.queue = queue;
    this.group = group;
    this.backoff = backoff;
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

    AnyPartition(String queue, String group, GroupBackoff backoff, ReadyList ready) {
      super(queue, group, backoff);
      this.ready = ready;
    }

    @Override
    List<Ask> asks(long now) {
      ready.advance(now);
      List<Ask> asks = new ArrayList<>();
      for (Waiter waiter : waiters) {
        if (ready.isEmpty()) {
          break;
        }
        PollRequest wanted = waiter.request;
        List<UUID> candidates = ready.take(wanted.maxPartitions());
        asks.add(
            new Ask(
                waiter,
                new PopRequest(
                    new PopTarget.Candidates(Optional.of(queue), candidates),
                    group,
                    wanted.batch(),
                    wanted.maxPartitions(),
                    wanted.autoAck(),
                    wanted.subscription()),
                candidates));
      }
      return asks;
    }

    @Override
    long nextDue() {
      return ready.nextDue();
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

    OnePartition(String queue, String partition, String group, GroupBackoff backoff) {
      super(queue, group, backoff);
      this.partition = partition;
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
      return List.of(
          new Ask(
              first,
              new PopRequest(
                  new PopTarget.Named(queue, partition),
                  group,
                  wanted.batch(),
                  1,
                  wanted.autoAck(),
                  wanted.subscription()),
              List.of()));
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
