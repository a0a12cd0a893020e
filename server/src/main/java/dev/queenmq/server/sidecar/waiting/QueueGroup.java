package dev.queenmq.server.sidecar.waiting;

import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.SkippedPartition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Polls for any partition of a queue. */
final class QueueGroup extends WaitGroup {
  /** How many held partitions are checked on behalf of a poll that can wait. */
  private static final int DOUBTS = 50;

  /** How many are checked at once on behalf of a poll that cannot wait. */
  private static final int PROOFS = 500;

  private final Hints hints;
  ListCoverage listing = ListCoverage.UNKNOWN;

  /** The number of the listing that is under way or done; answers of older ones do not count. */
  long listingTurn;

  long listedAt;

  QueueGroup(String queue, String group, BackoffRules rules, Hints hints) {
    super(queue, group, rules);
    this.hints = hints;
  }

  @Override
  List<Ask> asks(long now, boolean suspicious) {
    list.advance(now);
    List<Ask> asks = new ArrayList<>();
    Set<Waiter> asked = new HashSet<>();
    if (!list.isEmpty()) {
      for (Waiter waiter : hopeful(now)) {
        // A hint only changes the order, and not for a poll that cannot wait for the next try.
        List<UUID> candidates =
            list.take(
                waiter.candidates(), id -> !waiter.isLeaving() && hints.leasedElsewhere(id, group));
        if (candidates.isEmpty()) {
          break;
        }
        asks.add(ask(waiter, candidates));
        asked.add(waiter);
      }
    }
    for (Waiter waiter : List.copyOf(eager)) {
      if (asked.contains(waiter) || waiter.isAsked()) {
        continue;
      }
      waiter.fresh = false;
      List<UUID> held = List.of();
      if (waiter.isLeaving()) {
        held = list.takeHeld(waiter.arrived, PROOFS);
      } else {
        eager.remove(waiter);
        if (suspicious && now >= retryAt) {
          held = list.takeHeld(waiter.arrived, DOUBTS);
        }
      }
      if (!held.isEmpty()) {
        asks.add(ask(waiter, held));
      }
    }
    return asks;
  }

  /**
   * What to ask on behalf of a poll for messages that are about to be appended; nothing if the
   * group may have others to get first.
   */
  Optional<Ask> askAhead(UUID partitionId, long now) {
    list.advance(now);
    if (!listing.whole()
        || !list.isEmpty()
        || list.knows(partitionId)
        || isStopped()
        || now < retryAt
        || hints.leasedElsewhere(partitionId, group)) {
      return Optional.empty();
    }
    Optional<Waiter> first = firstIdle();
    first.ifPresent(waiter -> list.takeNew(partitionId));
    return first.map(waiter -> ask(waiter, List.of(partitionId)));
  }

  private Ask ask(Waiter waiter, List<UUID> candidates) {
    return new Ask(
        waiter,
        request(waiter, new PopTarget.Candidates(Optional.of(queue), candidates)),
        candidates);
  }

  @Override
  boolean proven(Waiter waiter, long looksDone) {
    return listing.whole() && looksDone > waiter.looksBefore && list.proven(waiter.arrived);
  }

  @Override
  boolean mayHaveMore() {
    return state == GroupState.CONTACTING
        || listing == ListCoverage.STARTING
        || (!listing.whole() && list.knowsNothing())
        || super.mayHaveMore();
  }

  @Override
  long nextDue() {
    // The first page comes, or fails; both are events.
    return listing == ListCoverage.STARTING ? ReadyList.NEVER : super.nextDue();
  }

  @Override
  long pendingRetry() {
    return listing == ListCoverage.UNKNOWN && state == GroupState.IDLE && !waiters.isEmpty()
        ? retryAt
        : ReadyList.NEVER;
  }

  @Override
  boolean learn(long turn, Ask ask, PopOutcome.Served served, Learning learning) {
    long now = learning.now();
    Set<UUID> unmentioned = new HashSet<>(ask.candidates());
    boolean foreign = false;
    for (PartitionBatch batch : served.batches()) {
      unmentioned.remove(batch.partitionId());
      if (batch.lease().isPresent()) {
        foreign |=
            list.granted(
                batch.partitionId(),
                batch.lease().get().id(),
                learning.until(batch),
                batch.backlog() > 0,
                turn,
                now);
      } else {
        list.drained(batch.partitionId(), batch.backlog() > 0, turn);
      }
    }
    boolean stopped = false;
    for (SkippedPartition passed : served.passed()) {
      if (passed.partitionId().isEmpty()) {
        continue;
      }
      UUID id = passed.partitionId().get();
      unmentioned.remove(id);
      switch (passed.reason()) {
        case LEASED -> foreign |= list.refused(id, learning.dueAt(passed), turn, now);
        case DELAYED, PAUSED, WINDOW -> list.refused(id, learning.dueAt(passed), turn, now);
        case BUSY -> list.busy(id, turn, now);
        case ALONE -> list.again(id);
        case STOPPED -> {
          list.again(id);
          stopped = true;
        }
        case EMPTY, MISSING -> list.empty(id, turn);
      }
    }
    boolean silent = served.batches().isEmpty() && served.passed().isEmpty();
    for (UUID id : unmentioned) {
      if (silent) {
        // Not to be asked for at once and for ever.
        list.busy(id, turn, now);
      } else {
        list.unanswered(id, turn);
      }
    }
    if (stopped) {
      stopped(ask.waiter(), learning.probeAt());
    } else {
      resumed();
    }
    return foreign;
  }
}
