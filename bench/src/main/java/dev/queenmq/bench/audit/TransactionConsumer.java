package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.Stage.Phase;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.Operation;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Transaction;
import dev.queenmq.server.model.TransactionOutcome;
import dev.queenmq.server.model.TransactionOutcome.Cause;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * Answers only in transactions: each message that it acks it also copies to a second queue. So in
 * the end exactly the messages that are done for this group have a copy.
 */
final class TransactionConsumer extends Worker {
  private static final Duration IDLE = Duration.ofMillis(15);
  private static final Duration TOO_LATE = Duration.ofMillis(1300);
  private static final long NO_SUCH_OFFSET = 1L << 40;

  private final MessageStore store;
  private final Delivery delivery;
  private final MessageIds ids;
  private final Random random;

  TransactionConsumer(
      Stage stage, Context context, MessageStore store, MessageIds ids, Random random) {
    super(stage, context, Phase.DRAIN);
    this.store = store;
    this.ids = ids;
    this.random = random;
    delivery = new Delivery(stage, store, Names.TRANSACTION_GROUP, false, random);
  }

  @Override
  Future<Void> step() {
    return delivery
        .next()
        .compose(leases -> leases.isEmpty() ? stage().pause(IDLE) : answer(leases));
  }

  private Future<Void> answer(List<HeldLease> leases) {
    int habit = stage().phase() == Phase.RUN ? random.nextInt(100) : 0;
    if (habit >= 95) {
      stage().ledger().tally().add(Tally.Count.DEATHS);
      return Future.succeededFuture();
    }
    Future<Void> done = habit >= 90 ? stage().pause(TOO_LATE) : Future.succeededFuture();
    boolean spoil = habit >= 75 && habit < 90;
    for (HeldLease lease : leases) {
      Set<Long> tried = new HashSet<>();
      List<StoredMessage> messages = lease.batch().messages();
      int each = habit >= 50 ? 1 + random.nextInt(messages.size()) : messages.size();
      for (int from = 0; from < messages.size(); from += each) {
        List<StoredMessage> part = messages.subList(from, Math.min(from + each, messages.size()));
        if (spoil) {
          done = done.compose(before -> attempt(lease, part, tried, true));
        }
        done = done.compose(before -> attempt(lease, part, tried, false));
      }
    }
    return done;
  }

  private Future<Void> attempt(
      HeldLease lease, List<StoredMessage> part, Set<Long> tried, boolean spoil) {
    List<Operation> operations = new ArrayList<>();
    for (StoredMessage message : part) {
      operations.add(new Operation.Push(copy(lease, message)));
      operations.add(new Operation.Acknowledge(ack(lease, message.offset())));
    }
    if (spoil) {
      operations.add(new Operation.Acknowledge(ack(lease, NO_SUCH_OFFSET)));
    }
    lease.releasing();
    List<UUID> required = random.nextBoolean() ? List.of(lease.id()) : List.of();
    return store
        .transaction(new Transaction(operations, required))
        .transform(
            answer -> {
              if (answer.succeeded()) {
                heard(lease, part, tried, spoil, answer.result());
                return Future.succeededFuture();
              }
              part.forEach(message -> tried.add(message.offset()));
              return note(answer.cause())
                  ? stage().pause(IDLE).compose(waited -> attempt(lease, part, tried, spoil))
                  : Future.failedFuture(answer.cause());
            });
  }

  private Message copy(HeldLease lease, StoredMessage message) {
    String partition = lease.batch().partition();
    return Message.of(
        Names.OUT_QUEUE,
        Names.outPartition(partition),
        ids.next(),
        Names.outTransactionId(partition, message.offset()),
        message.payload());
  }

  private Ack ack(HeldLease lease, long offset) {
    return new Ack(
        lease.batch().partitionId(),
        Names.TRANSACTION_GROUP,
        new MessageRef.ByOffset(offset),
        Optional.of(lease.id()),
        random.nextInt(50) == 0 ? AckStatus.FAILED : AckStatus.COMPLETED,
        Optional.empty());
  }

  private void heard(
      HeldLease lease,
      List<StoredMessage> part,
      Set<Long> tried,
      boolean spoil,
      TransactionOutcome outcome) {
    if (outcome instanceof TransactionOutcome.Committed) {
      stage().ledger().tally().add(Tally.Count.TRANSACTIONS);
      stage().ledger().tally().add(Tally.Count.ACKED, part.size());
      CursorLedger cursor =
          stage().ledger().cursor(lease.batch().partition(), Names.TRANSACTION_GROUP);
      part.forEach(message -> cursor.done(lease, message.offset()));
      stage().board(Names.TRANSACTION_GROUP).add(lease.batch().partitionId(), 0);
      if (spoil) {
        violation(lease, "committed with a verdict on nothing");
      }
      return;
    }
    stage().ledger().tally().add(Tally.Count.TRANSACTIONS_BACK);
    Cause cause = ((TransactionOutcome.RolledBack) outcome).cause();
    if (cause instanceof Cause.DuplicatePush duplicate) {
      // A copy exists, so its message is done: by a later lease, or by an answer that was lost.
      if (HeldLease.micros(Instant.now()) < lease.expiresMicros()
          && !tried.contains(part.get(duplicate.operation() / 2).offset())) {
        violation(lease, "a copy exists of " + part.get(duplicate.operation() / 2));
      }
    } else if (cause instanceof Cause.LeaseLost || cause instanceof Cause.AckFailed) {
      if (!spoil) {
        stage().ledger().tally().add(Tally.Count.LOST_LEASES);
      }
    } else {
      stage().ledger().violations().add(Violation.UNEXPECTED, cause.toString());
    }
  }

  private void violation(HeldLease lease, String what) {
    stage().ledger().violations().add(Violation.HALF_TRANSACTION, lease + ": " + what);
  }
}
