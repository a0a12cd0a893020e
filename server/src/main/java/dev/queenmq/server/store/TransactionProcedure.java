package dev.queenmq.server.store;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.IdempotencyKey;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageRules;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import dev.queenmq.server.model.transactions.TransactionOutcome.Cause;
import dev.queenmq.server.model.transactions.TransactionOutcome.KeptAck;
import dev.queenmq.server.model.transactions.TransactionOutcome.KeptPush;
import dev.queenmq.server.model.transactions.TransactionOutcome.OperationResult;
import dev.queenmq.server.store.ack.AckArguments;
import dev.queenmq.server.store.ack.LeaseGroups;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.InputRules;
import dev.queenmq.server.store.call.Positions;
import dev.queenmq.server.store.push.AppendContext;
import dev.queenmq.server.store.push.PushAnswer;
import dev.queenmq.server.store.push.PushArguments;
import dev.queenmq.server.store.push.PushBatch;
import dev.queenmq.server.store.push.PushTarget;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pushes and acks, all or nothing: {@code transaction_v1}. Owned by the store's event loop. */
final class TransactionProcedure {
  private static final String SQL =
      """
      select t.o_committed, t.o_lease_lost, t.o_error, t.o_queue, t.o_partition, t.o_released,
             t.o_dead, t.o_other_content, t.o_kept, (t.o_push).*
      from queen.transaction_v1(
        $1, %s, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43,
        $44, $45) t
      """
          .formatted(PushArguments.row(2));

  /** Owner of the keys that brokers make. Those of clients begin otherwise. */
  private static final String BROKER = "broker";

  /** How long the answer to a client's key is kept. */
  private static final Duration KEPT_FOR_CLIENTS = Duration.ofHours(24);

  /** How long an answer is kept for the broker that may have to send the transaction again. */
  private static final Duration KEPT_FOR_BROKERS = Duration.ofMinutes(10);

  private final AppendContext append;
  private final LeaseGroups leaseGroups;

  TransactionProcedure(AppendContext append, LeaseGroups leaseGroups) {
    this.append = append;
    this.leaseGroups = leaseGroups;
  }

  Future<TransactionOutcome> run(Transaction transaction) {
    Steps steps = new Steps(transaction);
    Optional<Cause> refused = steps.refused();
    if (refused.isPresent()) {
      return Future.succeededFuture(new TransactionOutcome.RolledBack(refused.get()));
    }
    return round(steps, append.options().recallLimit(), 1);
  }

  private Future<TransactionOutcome> round(Steps steps, int recallLimit, int round) {
    if (AppendContext.givesUp(round)) {
      return AppendContext.givenUp("a transaction pushed to it");
    }
    Positions all = Positions.all(steps.messages.size());
    // All must go in this call; an id that stands in it twice is refused.
    PushBatch call =
        append.call(steps.messages, all, (name, remembered) -> PushTarget.Repeats.SEND);
    PushArguments gathered = append.arguments(call);
    AckArguments ackArguments = new AckArguments(steps.acks);
    return append
        .sizeLimited()
        .call(
            SQL,
            call,
            checkCapacity -> {
              Tuple arguments =
                  append.add(
                      gathered, Tuple.of(append.options().shard()), recallLimit, checkCapacity);
              ackArguments.addTo(arguments);
              arguments.addArrayOfUUID(steps.requiredLeases);
              return addKey(arguments, steps, gathered, ackArguments);
            })
        .recover(Failures::translate)
        .compose(rows -> conclude(steps, call, ackArguments, rows.iterator().next(), round));
  }

  private static Tuple addKey(
      Tuple arguments, Steps steps, PushArguments messages, AckArguments ackArguments) {
    Transaction transaction = steps.transaction;
    Optional<IdempotencyKey> key = transaction.key();
    Optional<String> id = transaction.id().map(UUID::toString);
    Duration kept = key.isPresent() ? KEPT_FOR_CLIENTS : KEPT_FOR_BROKERS;
    return arguments
        .addString(key.map(given -> "client:" + given.owner()).orElse(BROKER))
        .addString(key.map(IdempotencyKey::key).or(() -> id).orElse(null))
        .addString(key.map(IdempotencyKey::digest).orElse(null))
        .addUUID(transaction.id().orElse(null))
        .addInteger(Math.toIntExact(kept.toSeconds()))
        .addBoolean(key.isPresent() || (id.isPresent() && transaction.sentBefore()))
        .addArrayOfInteger(operations(steps.pushes, messages.positions()))
        .addArrayOfInteger(operations(steps.ackPositions, ackArguments.order()));
  }

  /** The operations of the steps of a kind, as they are sent. */
  private static Integer[] operations(List<Integer> ofKind, List<Integer> sent) {
    return sent.stream().map(ofKind::get).toArray(Integer[]::new);
  }

  private static TransactionOutcome.Repeated repeated(JsonObject kept) {
    List<KeptPush> pushes = new ArrayList<>();
    JsonArray pushOperations = kept.getJsonArray("push_operations");
    for (int i = 0; i < pushOperations.size(); i++) {
      pushes.add(
          new KeptPush(
              pushOperations.getInteger(i),
              UUID.fromString(kept.getJsonArray("message_ids").getString(i)),
              kept.getJsonArray("transaction_ids").getString(i),
              UUID.fromString(kept.getJsonArray("partition_ids").getString(i))));
    }
    List<KeptAck> acks = new ArrayList<>();
    JsonArray ackOperations = kept.getJsonArray("ack_operations");
    @Nullable JsonArray dead = kept.getJsonArray("dead");
    for (int i = 0; i < ackOperations.size(); i++) {
      acks.add(new KeptAck(ackOperations.getInteger(i), dead != null && dead.getBoolean(i)));
    }
    return new TransactionOutcome.Repeated(
        UUID.fromString(kept.getString("transaction_id")), pushes, acks);
  }

  private Future<TransactionOutcome> conclude(
      Steps steps, PushBatch call, AckArguments ackArguments, Row row, int round) {
    if (Boolean.TRUE.equals(row.getBoolean("o_other_content"))) {
      return Future.succeededFuture(new TransactionOutcome.KeyTaken());
    }
    @Nullable String kept = row.getString("o_kept");
    if (kept != null) {
      return Future.succeededFuture(repeated(new JsonObject(kept)));
    }
    boolean committed = row.getBoolean("o_committed");
    if (row.getBoolean("o_lease_lost")) {
      return Future.succeededFuture(new TransactionOutcome.RolledBack(new Cause.LeaseLost()));
    }
    PushAnswer pushed = new PushAnswer(row, call.targetCount());
    @Nullable PushOutcome[] outcomes = new PushOutcome[steps.messages.size()];
    call.accept(pushed, committed, outcomes);
    List<AckOutcome> acked = steps.acks.isEmpty() ? List.of() : ackArguments.outcomes(row);
    if (committed) {
      pushed.transaction().ifPresent(append.appended());
      return Future.succeededFuture(
          new TransactionOutcome.Committed(steps.results(outcomes, acked)));
    }
    Integer repeat = call.refusedRepeat(pushed);
    if (repeat != null) {
      return Future.succeededFuture(new TransactionOutcome.RolledBack(steps.repeated(repeat)));
    }
    // What is the first cause is known once every partition could be pushed to.
    if (!call.again().isEmpty()) {
      return append.recall(call).compose(limit -> round(steps, limit, round + 1));
    }
    return leaseGroups
        .find(steps.acks, acked, List.of(steps.requiredLeases))
        .compose(
            groups -> {
              if (steps.follow(groups)) {
                return round(steps, append.options().recallLimit(), round + 1);
              }
              List<AckOutcome> judged = new ArrayList<>(acked);
              groups.keySet().forEach(i -> judged.set(i, LeaseGroups.mismatch(judged.get(i))));
              Optional<Cause> cause = steps.cause(outcomes, judged);
              return cause.isPresent()
                  ? Future.succeededFuture(new TransactionOutcome.RolledBack(cause.get()))
                  : append.recall(call).compose(limit -> round(steps, limit, round + 1));
            });
  }

  /** The operations sorted into pushes and acks, and back. */
  private static final class Steps {
    final List<Message> messages = new ArrayList<>();
    final List<Ack> acks = new ArrayList<>();
    final UUID[] requiredLeases;
    final Transaction transaction;
    // Positions of each kind among the operations.
    final List<Integer> pushes = new ArrayList<>();
    final List<Integer> ackPositions = new ArrayList<>();
    private final List<Operation> operations;

    Steps(Transaction transaction) {
      this.transaction = transaction;
      operations = transaction.operations();
      requiredLeases = transaction.requiredLeases().toArray(UUID[]::new);
      for (int i = 0; i < operations.size(); i++) {
        if (operations.get(i) instanceof Operation.Push push) {
          messages.add(push.message());
          pushes.add(i);
        } else if (operations.get(i) instanceof Operation.Acknowledge acknowledge) {
          acks.add(conclusive(acknowledge.ack()));
          ackPositions.add(i);
        }
      }
    }

    /** Gives acks without a group that of their lease. Whether there were any. */
    boolean follow(Map<Integer, String> groups) {
      boolean followed = false;
      for (Map.Entry<Integer, String> each : groups.entrySet()) {
        Ack ack = acks.get(each.getKey());
        if (!ack.groupNamed()) {
          acks.set(each.getKey(), ack.of(each.getValue()));
          followed = true;
        }
      }
      return followed;
    }

    /** The first operation that cannot be carried out at all. */
    Optional<Cause> refused() {
      for (int i = 0; i < operations.size(); i++) {
        Optional<Problem> problem = problem(operations.get(i));
        if (problem.isPresent()) {
          return Optional.of(new Cause.Rejected(i, problem.get()));
        }
      }
      return operations.isEmpty()
          ? Optional.of(new Cause.Rejected(0, new Problem("a transaction needs an operation")))
          : Optional.empty();
    }

    List<OperationResult> results(@Nullable PushOutcome[] pushed, List<AckOutcome> acked) {
      List<OperationResult> results = new ArrayList<>(operations.size());
      int push = 0;
      int ack = 0;
      for (Operation operation : operations) {
        if (operation instanceof Operation.Push) {
          if (pushed[push++] instanceof PushOutcome.Queued queued) {
            results.add(new OperationResult.Pushed(queued));
          }
        } else if (acked.get(ack++) instanceof AckOutcome.Applied applied) {
          Ack judged = acks.get(ack - 1);
          boolean asGiven =
              judged.group().equals(((Operation.Acknowledge) operation).ack().group());
          results.add(
              new OperationResult.Acknowledged(asGiven ? applied : applied.of(judged.group())));
        }
      }
      return results;
    }

    /** This push has an id that an earlier one has. */
    Cause repeated(int push) {
      int seen = -1;
      int operation = -1;
      while (seen < push) {
        operation++;
        seen += operations.get(operation) instanceof Operation.Push ? 1 : 0;
      }
      return new Cause.Rejected(operation, new Problem("transactionId repeats"));
    }

    /** The first operation, in their order, that stood in the way. */
    Optional<Cause> cause(@Nullable PushOutcome[] pushed, List<AckOutcome> acked) {
      int push = 0;
      int ack = 0;
      for (int i = 0; i < operations.size(); i++) {
        if (operations.get(i) instanceof Operation.Push) {
          @Nullable PushOutcome outcome = pushed[push++];
          if (outcome instanceof PushOutcome.Duplicate duplicate) {
            return Optional.of(new Cause.DuplicatePush(i, duplicate));
          } else if (outcome instanceof PushOutcome.KeyMissing) {
            return Optional.of(new Cause.KeyMissing(i));
          }
          if (outcome instanceof PushOutcome.QueueFull) {
            return Optional.of(new Cause.QueueFull(i));
          }
        } else if (acked.get(ack++) instanceof AckOutcome.Failed failed) {
          return Optional.of(new Cause.AckFailed(i, failed));
        }
      }
      return Optional.empty();
    }

    private static Optional<Problem> problem(Operation operation) {
      if (operation instanceof Operation.Push push) {
        return MessageRules.message(push.message());
      }
      Ack ack = ((Operation.Acknowledge) operation).ack();
      return ack.status() == AckStatus.RETRY
          ? Optional.of(new Problem("a transaction cannot ask for a retry"))
          : InputRules.ack(ack);
    }

    private static Ack conclusive(Ack ack) {
      return ack.status() == AckStatus.FAILED
          ? new Ack(
              ack.partitionId(),
              ack.group(),
              ack.message(),
              ack.leaseId(),
              AckStatus.DLQ,
              ack.error().or(() -> Optional.of("Unknown error")),
              ack.groupNamed())
          : ack;
    }
  }
}
