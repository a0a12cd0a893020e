package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.Directory.NamedPartition;
import dev.queenmq.server.sidecar.Polled.Nothing;
import dev.queenmq.server.sidecar.WaitGroup.AnyPartition;
import dev.queenmq.server.sidecar.WaitGroup.Ask;
import dev.queenmq.server.sidecar.WaitGroup.OnePartition;
import dev.queenmq.server.store.PartitionBatch;
import dev.queenmq.server.store.Passed;
import dev.queenmq.server.store.PopOutcome;
import dev.queenmq.server.store.ReadyPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Writes down what the store's answers tell about partitions. */
final class PopNotes {
  /** A moment that has passed may not be seen as such yet by the database. */
  private static final long SOONEST_MILLIS = 5;

  private final DatabaseClock clock;
  private final BackoffRules backoff;
  private final Peers peers;

  PopNotes(DatabaseClock clock, BackoffRules backoff, Peers peers) {
    this.clock = clock;
    this.backoff = backoff;
    this.peers = peers;
  }

  /** What a full look at the queue found. */
  void note(ReadyList ready, List<ReadyPartition> found) {
    long now = clock.now();
    for (ReadyPartition partition : found) {
      long free = partition.freeAt().map(clock::when).orElse(Long.MIN_VALUE);
      if (free > now) {
        ready.seenLeased(partition.partitionId(), free, now);
      } else {
        ready.released(partition.partitionId(), false);
      }
    }
  }

  /** What the answer tells about the partitions. */
  void note(AnyPartition group, Ask ask, PopOutcome.Served served, long now) {
    ReadyList ready = group.ready;
    tell(group, served, now);
    Set<UUID> unmentioned = new HashSet<>(ask.candidates());
    for (PartitionBatch batch : served.batches()) {
      unmentioned.remove(batch.partitionId());
      if (batch.lease().isPresent()) {
        ready.leased(
            batch.partitionId(),
            clock.when(batch.lease().get().expiresAt()),
            now,
            batch.backlog() > 0);
      } else if (batch.backlog() > 0) {
        ready.add(batch.partitionId());
      }
    }
    boolean stopped = false;
    for (Passed passed : served.passed()) {
      if (passed.partitionId().isEmpty()) {
        continue;
      }
      UUID id = passed.partitionId().get();
      unmentioned.remove(id);
      switch (passed.reason()) {
        case LEASED -> ready.seenLeased(id, dueAt(passed, now), now);
        case DELAYED, PAUSED, WINDOW -> ready.dueAt(id, dueAt(passed, now));
        case BUSY -> ready.dueAt(id, now + SOONEST_MILLIS);
        case ALONE -> ready.add(id);
        case STOPPED -> {
          ready.add(id);
          stopped = true;
        }
        case EMPTY, MISSING -> ready.empty(id);
      }
    }
    unmentioned.forEach(ready::add);
    if (stopped) {
      group.stopped(ask.waiter(), now + backoff.maxMillis());
    } else {
      group.resumed();
    }
  }

  void note(OnePartition one, Ask ask, PopOutcome.Served served) {
    Waiter waiter = ask.waiter();
    long now = clock.now();
    tell(one, served, now);
    one.resumed();
    for (PartitionBatch batch : served.batches()) {
      if (batch.lease().isPresent()) {
        one.dueAt(clock.when(batch.lease().get().expiresAt()));
      } else if (batch.backlog() > 0) {
        one.hint();
      }
    }
    for (Passed passed : served.passed()) {
      passed.dueAt().ifPresent(due -> one.dueAt(dueAt(passed, now)));
      if (passed.reason() == Passed.Reason.STOPPED) {
        long again = now + backoff.maxMillis();
        one.dueAt(again);
        // One is asked for on behalf of all.
        one.waiters.forEach(each -> one.stopped(each, again));
      } else if (passed.reason() == Passed.Reason.BUSY) {
        one.dueAt(now + SOONEST_MILLIS);
      } else if (passed.reason() == Passed.Reason.MISSING && !ask.candidates().isEmpty()) {
        one.missing();
      }
      waiter.reason =
          switch (passed.reason()) {
            case MISSING -> Nothing.PARTITION_NOT_FOUND;
            case LEASED -> Nothing.LEASE_HELD;
            case WINDOW -> Nothing.WINDOW_BUFFER;
            case EMPTY, DELAYED, PAUSED, BUSY, ALONE, STOPPED -> Nothing.EMPTY;
          };
    }
  }

  /** Other brokers need not try what is leased now; and where it is, is worth remembering. */
  private void tell(WaitGroup group, PopOutcome.Served served, long now) {
    List<UUID> leased = new ArrayList<>();
    long until = now;
    for (PartitionBatch batch : served.batches()) {
      if (group instanceof OnePartition) {
        peers.partitionMet(
            new NamedPartition(batch.partitionId(), batch.queue(), batch.partition()));
      }
      if (batch.lease().isPresent()) {
        leased.add(batch.partitionId());
        until = clock.when(batch.lease().get().expiresAt());
      }
    }
    for (Passed passed : served.passed()) {
      if (passed.reason() == Passed.Reason.LEASED) {
        passed.partitionId().ifPresent(id -> peers.leaseRefused(id, group.group));
      }
    }
    if (!leased.isEmpty()) {
      peers.leased(group.queue, group.group, leased, Duration.ofMillis(until - now));
    }
  }

  private long dueAt(Passed passed, long now) {
    Optional<Instant> due = passed.dueAt();
    long when = due.map(clock::when).orElse(now + backoff.maxMillis());
    return Math.max(when, now + SOONEST_MILLIS);
  }
}
