package dev.queenmq.bench.audit;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Sends acks and holds the store to its answers. */
final class Answering {
  private static final long CLOCK_MARGIN_MICROS = 200_000;

  /** An ack on one message of a lease. */
  record Said(HeldLease lease, StoredMessage message, AckStatus status) {}

  private final Stage stage;
  private final MessageStore store;
  private final String group;
  private final RandomGenerator random;

  Answering(Stage stage, MessageStore store, String group, RandomGenerator random) {
    this.stage = stage;
    this.store = store;
    this.group = group;
    this.random = random;
  }

  /** Says so under the leases. */
  Future<Void> say(List<Said> all) {
    if (all.isEmpty()) {
      return Future.succeededFuture();
    }
    announce(all);
    List<Ack> acks = all.stream().map(said -> ack(said, true)).toList();
    long nowMicros = HeldLease.micros(Instant.now());
    return store
        .ack(acks)
        .map(
            outcomes -> {
              for (int i = 0; i < all.size(); i++) {
                heard(all.get(i), outcomes.get(i), nowMicros);
              }
              return null;
            });
  }

  /** Says that these are done, without naming a lease. */
  Future<Void> sayLoosely(List<Said> all) {
    long sent = System.nanoTime();
    Set<CursorLedger> cursors = new HashSet<>();
    all.forEach(said -> cursors.add(cursor(said)));
    cursors.forEach(cursor -> cursor.looseSent(sent));
    all.forEach(said -> said.lease().releasing());
    return store
        .ack(all.stream().map(said -> ack(said, false)).toList())
        .map(
            outcomes -> {
              Map<CursorLedger, List<Long>> done = new HashMap<>();
              cursors.forEach(cursor -> done.put(cursor, new ArrayList<>()));
              for (int i = 0; i < all.size(); i++) {
                if (outcomes.get(i) instanceof AckOutcome.Applied applied) {
                  stage.ledger().tally().add(Tally.Count.ACKED);
                  done.computeIfAbsent(cursor(all.get(i)), key -> new ArrayList<>())
                      .add(all.get(i).message().offset());
                  released(all.get(i), applied);
                }
              }
              done.forEach((cursor, offsets) -> cursor.doneLoosely(offsets, sent));
              return null;
            });
  }

  private static void announce(List<Said> all) {
    Map<HeldLease, Set<Long>> done = new HashMap<>();
    for (Said said : all) {
      switch (said.status()) {
        case COMPLETED, DLQ ->
            done.computeIfAbsent(said.lease(), lease -> new HashSet<>())
                .add(said.message().offset());
        case FAILED, RETRY -> said.lease().releasing();
      }
    }
    done.forEach(HeldLease::answering);
  }

  private Ack ack(Said said, boolean withLease) {
    MessageRef message =
        random.nextBoolean()
            ? new MessageRef.ByTransactionId(said.message().transactionId())
            : new MessageRef.ByOffset(said.message().offset());
    return new Ack(
        said.lease().batch().partitionId(),
        group,
        message,
        withLease ? Optional.of(said.lease().id()) : Optional.empty(),
        said.status(),
        Optional.empty());
  }

  private void heard(Said said, AckOutcome outcome, long sentMicros) {
    if (outcome instanceof AckOutcome.Applied applied) {
      if (sentMicros > said.lease().expiresMicros() + CLOCK_MARGIN_MICROS) {
        stage.ledger().violations().add(Violation.LATE_ACK_ACCEPTED, said.toString());
      }
      boolean done =
          switch (said.status()) {
            case COMPLETED, DLQ -> true;
            case FAILED, RETRY -> applied.deadLettered();
          };
      if (done) {
        cursor(said).done(said.lease(), said.message().offset());
      }
      stage
          .ledger()
          .tally()
          .add(
              applied.deadLettered()
                  ? Tally.Count.DEAD
                  : done ? Tally.Count.ACKED : Tally.Count.FAILED);
      released(said, applied);
    } else if (outcome instanceof AckOutcome.Failed failed
        && failed.reason() == AckOutcome.Reason.LEASE_LOST) {
      stage.ledger().tally().add(Tally.Count.LOST_LEASES);
    } else {
      stage.ledger().violations().add(Violation.UNEXPECTED, said + " answered " + outcome);
    }
  }

  private void released(Said said, AckOutcome.Applied applied) {
    if (applied.leaseReleased()) {
      stage.board(group).add(said.lease().batch().partitionId(), 0);
    }
  }

  private CursorLedger cursor(Said said) {
    return stage.ledger().cursor(said.lease().batch().partition(), group);
  }
}
