package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import dev.queenmq.server.model.transactions.TransactionOutcome.Cause;
import dev.queenmq.server.model.transactions.TransactionOutcome.OperationResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What a transaction does, by the rules of docs/internals/store.md. Works on a copy, to be kept or
 * not.
 */
final class ModelTransaction {
  private final ModelState state;

  ModelTransaction(ModelState copy) {
    this.state = copy;
  }

  TransactionOutcome run(Transaction transaction) {
    List<Operation> operations = transaction.operations();
    for (int i = 0; i < operations.size(); i++) {
      if (isRefused(operations.get(i))) {
        return new TransactionOutcome.RolledBack(new Cause.Rejected(i, ModelRules.PROBLEM));
      }
    }
    if (operations.isEmpty()) {
      return new TransactionOutcome.RolledBack(new Cause.Rejected(0, ModelRules.PROBLEM));
    }
    if (!transaction.requiredLeases().stream().allMatch(this::isLive)) {
      return new TransactionOutcome.RolledBack(new Cause.LeaseLost());
    }
    Optional<Integer> repeat = repeat(operations);
    if (repeat.isPresent()) {
      return new TransactionOutcome.RolledBack(
          new Cause.Rejected(repeat.get(), ModelRules.PROBLEM));
    }
    ModelAck model = new ModelAck(state, Set.copyOf(transaction.requiredLeases()));
    List<Boolean> mismatches = model.mismatches(acks(operations));
    List<PushOutcome> pushed = new ModelPush(state).push(messages(operations));
    List<AckOutcome> acked = ModelAck.with(mismatches, model.ack(acks(operations)));
    return conclude(operations, pushed, acked);
  }

  private static boolean isRefused(Operation operation) {
    if (operation instanceof Operation.Push push) {
      return ModelRules.isBad(push.message());
    }
    Ack ack = ((Operation.Acknowledge) operation).ack();
    return ack.status() == AckStatus.RETRY || ModelAck.isBad(ack);
  }

  /** The first push that has the id of an earlier one, where that matters. */
  private Optional<Integer> repeat(List<Operation> operations) {
    Set<List<String>> seen = new HashSet<>();
    for (int i = 0; i < operations.size(); i++) {
      if (operations.get(i) instanceof Operation.Push push) {
        Message message = push.message();
        ModelQueue queue =
            state.queues.getOrDefault(message.queue(), new ModelQueue(message.queue()));
        if (!seen.add(List.of(message.queue(), message.partition(), message.transactionId()))
            && queue.dedupWindow() != 0) {
          return Optional.of(i);
        }
      }
    }
    return Optional.empty();
  }

  private boolean isLive(UUID lease) {
    return state.partitions().stream()
        .flatMap(partition -> partition.cursors.values().stream())
        .anyMatch(cursor -> cursor.isLeasedUnder(lease, state.now));
  }

  private static List<Message> messages(List<Operation> operations) {
    return operations.stream()
        .filter(Operation.Push.class::isInstance)
        .map(operation -> ((Operation.Push) operation).message())
        .toList();
  }

  private static List<Ack> acks(List<Operation> operations) {
    return operations.stream()
        .filter(Operation.Acknowledge.class::isInstance)
        .map(operation -> conclusive(((Operation.Acknowledge) operation).ack()))
        .toList();
  }

  private static Ack conclusive(Ack ack) {
    if (ack.status() != AckStatus.FAILED) {
      return ack;
    }
    Optional<String> error = Optional.of(ack.error().orElse("Unknown error"));
    return new Ack(
        ack.partitionId(), ack.group(), ack.message(), ack.leaseId(), AckStatus.DLQ, error);
  }

  private static TransactionOutcome conclude(
      List<Operation> operations, List<PushOutcome> pushed, List<AckOutcome> acked) {
    List<OperationResult> results = new ArrayList<>();
    int push = 0;
    int ack = 0;
    for (int i = 0; i < operations.size(); i++) {
      if (operations.get(i) instanceof Operation.Push) {
        PushOutcome outcome = pushed.get(push++);
        if (outcome instanceof PushOutcome.Duplicate duplicate) {
          return new TransactionOutcome.RolledBack(new Cause.DuplicatePush(i, duplicate));
        }
        results.add(new OperationResult.Pushed((PushOutcome.Queued) outcome));
      } else {
        AckOutcome outcome = acked.get(ack++);
        if (outcome instanceof AckOutcome.Failed failed) {
          return new TransactionOutcome.RolledBack(new Cause.AckFailed(i, failed));
        }
        results.add(new OperationResult.Acknowledged((AckOutcome.Applied) outcome));
      }
    }
    return new TransactionOutcome.Committed(results);
  }
}
