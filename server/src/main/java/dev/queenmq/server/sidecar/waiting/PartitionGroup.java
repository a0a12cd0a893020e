package dev.queenmq.server.sidecar.waiting;

import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.Polled.EmptyReason;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.SkippedPartition;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Polls for one partition by name. Kept only while a poll waits: what it believes is soon stale,
 * and the next poll asks anyway.
 */
final class PartitionGroup extends WaitGroup {
  /** Stands on the list for the partition, whose id need not be known. */
  static final UUID IT = new UUID(0, 0);

  final String partition;
  private final Hints hints;

  /** The number of the last question that found nothing in it. */
  private long emptyAt = Long.MIN_VALUE;

  /** The question under way is by an id that was remembered. */
  private boolean byId;

  PartitionGroup(String queue, String partition, String group, BackoffRules rules, Hints hints) {
    super(queue, group, rules);
    this.partition = partition;
    this.hints = hints;
  }

  @Override
  List<Ask> asks(long now, boolean suspicious) {
    list.advance(now);
    for (Waiter waiter : List.copyOf(eager)) {
      boolean doubts = waiter.isLeaving() || suspicious;
      if (!waiter.isLeaving()) {
        eager.remove(waiter);
      }
      waiter.fresh = false;
      if (doubts && list.isEmpty() && !shown(waiter)) {
        list.question(IT, waiter.arrived);
      }
    }
    List<Waiter> hopeful = list.isEmpty() ? List.of() : hopeful(now);
    if (hopeful.isEmpty()) {
      return List.of();
    }
    // One lease per partition and group: what the first does not get, the second cannot.
    Waiter first = hopeful.get(0);
    // By id it is cheaper, but does not wait for a lock, so not for a poll that asks only once.
    Optional<UUID> id =
        eager.stream().anyMatch(Waiter::isLeaving)
            ? Optional.empty()
            : hints.partitionId(queue, partition);
    byId = id.isPresent();
    List<UUID> candidates = list.take(1, any -> false);
    return List.of(
        new Ask(
            first,
            request(
                first,
                id.<PopTarget>map(
                        known -> new PopTarget.Candidates(Optional.of(queue), List.of(known)))
                    .orElseGet(() -> new PopTarget.Named(queue, partition))),
            candidates));
  }

  private boolean shown(Waiter waiter) {
    return list.knowsNothing() ? emptyAt >= waiter.arrived : list.proven(waiter.arrived);
  }

  @Override
  boolean proven(Waiter waiter, long looksDone) {
    return list.proven(waiter.arrived) && shown(waiter);
  }

  @Override
  boolean learn(long turn, Ask ask, PopOutcome.Served served, Learning learning) {
    long now = learning.now();
    boolean foreign = false;
    resumed();
    EmptyReason why = EmptyReason.EMPTY;
    boolean mentioned = false;
    for (PartitionBatch batch : served.batches()) {
      mentioned = true;
      if (batch.lease().isPresent()) {
        foreign |=
            list.granted(
                IT,
                batch.lease().get().id(),
                learning.until(batch),
                batch.backlog() > 0,
                turn,
                now);
      } else {
        list.drained(IT, batch.backlog() > 0, turn);
      }
    }
    for (SkippedPartition passed : served.passed()) {
      mentioned = true;
      switch (passed.reason()) {
        case LEASED -> {
          foreign |= list.refused(IT, learning.dueAt(passed), turn, now);
          why = EmptyReason.LEASE_HELD;
        }
        case WINDOW -> {
          list.refused(IT, learning.dueAt(passed), turn, now);
          why = EmptyReason.WINDOW_BUFFER;
        }
        case DELAYED, PAUSED -> list.refused(IT, learning.dueAt(passed), turn, now);
        case BUSY -> list.busy(IT, turn, now);
        case ALONE -> list.again(IT);
        case STOPPED -> {
          list.again(IT);
          // One is asked for on behalf of all.
          waiters.forEach(each -> stopped(each, learning.probeAt()));
        }
        case EMPTY -> list.empty(IT, turn);
        case MISSING -> {
          if (byId) {
            learning.missing();
            list.again(IT);
          } else {
            list.empty(IT, turn);
            why = EmptyReason.PARTITION_NOT_FOUND;
          }
        }
      }
    }
    if (!mentioned) {
      list.busy(IT, turn, now);
    }
    if (list.knowsNothing()) {
      emptyAt = turn;
    }
    for (Waiter waiter : waiters) {
      waiter.reason = why;
    }
    return foreign;
  }
}
