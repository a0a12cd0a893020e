package dev.queenmq.bench.audit;

import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Pops what the board suggests, writes down what came, and tells the board what it learnt. */
final class Delivery {
  /** The lease time of the audited queue. */
  static final int LEASE_SECONDS = 1;

  private static final int SOON_MILLIS = 50;

  private final Stage stage;
  private final MessageStore store;
  private final String group;
  private final boolean autoAck;
  private final RandomGenerator random;

  Delivery(Stage stage, MessageStore store, String group, boolean autoAck, RandomGenerator random) {
    this.stage = stage;
    this.store = store;
    this.group = group;
    this.autoAck = autoAck;
    this.random = random;
  }

  /** What was leased; empty when there is nothing to look at. */
  Future<List<HeldLease>> next() {
    List<PopRequest> requests = new ArrayList<>();
    int count = random.nextInt(8) == 0 ? 2 : 1;
    for (int i = 0; i < count; i++) {
      List<UUID> candidates = stage.board(group).take(1 + random.nextInt(5), random);
      if (!candidates.isEmpty()) {
        requests.add(request(candidates));
      }
    }
    if (requests.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    long sent = System.nanoTime();
    stage.ledger().tally().add(Tally.Count.POP_CALLS);
    return store.pop(requests).map(outcomes -> received(requests, outcomes, sent));
  }

  private PopRequest request(List<UUID> candidates) {
    int batch = random.nextInt(6) == 0 ? 200 : 1 + random.nextInt(30);
    return new PopRequest(
        new PopTarget.Candidates(Optional.of(Names.QUEUE), candidates),
        group,
        batch,
        1 + random.nextInt(4),
        autoAck,
        new Subscription.All());
  }

  private List<HeldLease> received(
      List<PopRequest> requests, List<PopOutcome> outcomes, long sent) {
    long answered = System.nanoTime();
    List<HeldLease> leases = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof PopOutcome.Served served) {
        served.passed().forEach(this::learn);
        served.batches().forEach(batch -> leases.addAll(held(batch, sent, answered)));
        unseen(requests.get(i), served);
      } else {
        stage.ledger().violations().add(Violation.UNEXPECTED, outcomes.get(i).toString());
      }
    }
    return leases;
  }

  /** Candidates that were not reached, because the answer was full before, stay on the board. */
  private void unseen(PopRequest request, PopOutcome.Served served) {
    if (request.target() instanceof PopTarget.Candidates candidates) {
      List<UUID> left = new ArrayList<>(candidates.partitionIds());
      served.batches().forEach(batch -> left.remove(batch.partitionId()));
      served.passed().forEach(passed -> passed.partitionId().ifPresent(left::remove));
      left.forEach(partition -> stage.board(group).add(partition, 0));
    }
  }

  private List<HeldLease> held(PartitionBatch batch, long sent, long answered) {
    stage.ledger().tally().add(Tally.Count.DELIVERED, batch.messages().size());
    CursorLedger cursor = stage.ledger().cursor(batch.partition(), group);
    if (batch.lease().isEmpty()) {
      cursor.taken(batch.messages());
      stage.board(group).add(batch.partitionId(), 0);
      return List.of();
    }
    stage.ledger().tally().add(Tally.Count.LEASES);
    Lease lease = batch.lease().get();
    HeldLease held =
        new HeldLease(
            lease.id(), batch, lease.expiresAt(), LEASE_SECONDS * 1_000_000L, sent, answered);
    cursor.delivered(held);
    stage.board(group).add(batch.partitionId(), Watcher.millisUntil(lease.expiresAt()));
    return List.of(held);
  }

  private void learn(SkippedPartition passed) {
    if (passed.partitionId().isEmpty()) {
      return;
    }
    UUID partition = passed.partitionId().get();
    switch (passed.reason()) {
      case EMPTY, MISSING -> {}
      case BUSY, ALONE -> stage.board(group).add(partition, 1);
      case LEASED, PAUSED, DELAYED, WINDOW, STOPPED ->
          stage
              .board(group)
              .add(partition, passed.dueAt().map(Watcher::millisUntil).orElse((long) SOON_MILLIS));
    }
  }
}
