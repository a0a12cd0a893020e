package dev.queenmq.server.sidecar.waiting;

import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.Polled.EmptyReason;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.SkippedPartition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The polls of one consumer group for one queue, or for one partition of it. One question to the
 * store serves all of them, in the order in which they came.
 */
abstract class WaitGroup {
  final String queue;
  final String group;
  final GroupBackoff backoff;
  final ReadyList list = new ReadyList();

  /** The polls that wait, in the order in which they came. */
  final Set<Waiter> waiters = new LinkedHashSet<>();

  /** Those of them for which what is held is asked for as well. */
  final Set<Waiter> eager = new LinkedHashSet<>();

  /** Those of which other brokers do not know; they need not know of those that find something. */
  final Set<Waiter> unannounced = new LinkedHashSet<>();

  GroupState state = GroupState.IDLE;
  @Nullable Alarm alarm;

  /** The number of the question under way. */
  long asking;

  /** After a failure, polls that can wait do not ask before this moment. */
  long retryAt = Long.MIN_VALUE;

  /** The store said that an operator has paused pops, and has not said otherwise since. */
  private boolean stopped;

  /** When it is asked again, in case the end of the pause is not reported. */
  private long probeAt;

  WaitGroup(String queue, String group, BackoffRules rules) {
    this.queue = queue;
    this.group = group;
    this.backoff = new GroupBackoff(rules);
  }

  /** What to ask the store now; nothing if there is no sign that it has anything. */
  abstract List<Ask> asks(long now, boolean suspicious);

  /** Whether PostgreSQL has said, since a poll arrived, that there is nothing for it. */
  abstract boolean proven(Waiter waiter, long looksDone);

  /**
   * Takes in what the store said about the partitions of a question.
   *
   * @param turn the number of the question
   * @return whether another broker seems to consume the same partitions
   */
  abstract boolean learn(long turn, Ask ask, PopOutcome.Served served, Learning learning);

  /** Whether there may be messages for the waiting polls that were not asked for yet. */
  boolean mayHaveMore() {
    return state != GroupState.IDLE && !list.isEmpty();
  }

  /** Why a poll goes without messages. */
  EmptyReason reason(Waiter waiter) {
    if (isStopped(waiter)) {
      return EmptyReason.PAUSED;
    }
    return waiter.request().patience().isZero() ? waiter.reason : EmptyReason.TIMED_OUT;
  }

  boolean isStopped(Waiter waiter) {
    return stopped && waiter.stopped;
  }

  void stopped(Waiter waiter, long until) {
    stopped = true;
    probeAt = until;
    waiter.stopped = true;
  }

  /** Pops are not paused, or that is unknown. */
  void resumed() {
    stopped = false;
  }

  /** The first poll for which the store is not being asked, and that may get a lease. */
  Optional<Waiter> firstIdle() {
    for (Waiter waiter : waiters) {
      if (waiter.state == WaiterState.WAITING && !waiter.request().autoAck()) {
        return Optional.of(waiter);
      }
    }
    return Optional.empty();
  }

  /** Whether pops are paused, or were when the store was last asked. */
  boolean isStopped() {
    return stopped;
  }

  /** When something is to be done for the group, if nothing happens before. */
  long nextDue() {
    long due = list.nextDue();
    if (!list.isEmpty()) {
      due = Math.min(due, stopped ? probeAt : retryAt);
    }
    return Math.min(due, pendingRetry());
  }

  /** When what has failed is tried again, if the list does not show it. */
  long pendingRetry() {
    return ReadyList.NEVER;
  }

  /**
   * The polls to ask on behalf of. During a pause these are the polls that came after the last
   * answer, and now and then one of the others; after a failure, those that cannot wait.
   */
  List<Waiter> hopeful(long now) {
    List<Waiter> hopeful = new ArrayList<>();
    boolean probe = now >= probeAt;
    // Each gets a partition at least.
    int limit = list.readyCount();
    for (Waiter waiter : waiters) {
      if (hopeful.size() == limit) {
        break;
      }
      if (waiter.isAsked() || (now < retryAt && !waiter.isLeaving())) {
        continue;
      }
      if (!stopped || !waiter.stopped || probe) {
        probe &= !stopped || !waiter.stopped;
        hopeful.add(waiter);
      }
    }
    return hopeful;
  }

  PopRequest request(Waiter waiter, PopTarget target) {
    PollRequest wanted = waiter.request();
    return new PopRequest(
        target,
        group,
        wanted.batch(),
        wanted.maxPartitions(),
        wanted.autoAck(),
        wanted.subscription(),
        wanted.holder());
  }

  /** What an answer is read with. */
  interface Learning {
    long now();

    /** When something falls due; after the longest interval if the store does not say. */
    long dueAt(SkippedPartition passed);

    long until(PartitionBatch batch);

    /** When to ask again during a pause. */
    long probeAt();

    void missing();
  }
}
