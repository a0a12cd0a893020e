package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.Operation;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.Transaction;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.store.MessageStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** One call of each kind that a busy broker makes all the time, on a database of any size. */
final class HotCalls implements AutoCloseable {
  static final String QUEUE = "hot";
  private static final String GROUP = "workers";
  private static final int FEW = 5;

  private final StoreConnection connection;
  private final BatchMaker maker;
  private final int partitions;
  private final Map<String, UUID> ids = new HashMap<>();
  private Optional<String> bookmark = Optional.empty();
  private List<PartitionBatch> held = List.of();
  private int turn;

  HotCalls(StoreConnection connection, int partitions, long seed) {
    this.connection = connection;
    this.partitions = partitions;
    this.maker = new BatchMaker(QUEUE, seed);
  }

  /** Stores so many messages in every partition and puts the group behind them. */
  void fill(int perPartition) {
    for (int i = 0; i < perPartition; i++) {
      for (int first = 0; first < partitions; first += 1000) {
        push(IntStream.range(first, Math.min(partitions, first + 1000)).toArray());
      }
    }
    // A seek makes no group: the first pop does.
    Blocking.get(
        store()
            .pop(
                List.of(
                    new PopRequest(
                        new PopTarget.Candidates(Optional.of(QUEUE), List.of()),
                        GROUP,
                        1,
                        1,
                        false,
                        new Subscription.All()))));
    Blocking.get(store().seek(new Seek(QUEUE, Optional.empty(), GROUP, new Seek.Position.End())));
    bookmark = Optional.of(Blocking.get(store().tail(Optional.empty())).bookmark());
  }

  /** The calls by name; to be made in this order, again and again. */
  Map<String, Runnable> calls() {
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("push", () -> push(few()));
    calls.put("pop", () -> held = pop());
    calls.put("renew", this::renew);
    calls.put("ack", this::ack);
    calls.put("transaction", this::transaction);
    calls.put("tail", this::tail);
    return calls;
  }

  private MessageStore store() {
    return connection.store();
  }

  private int[] few() {
    turn++;
    return IntStream.range(0, FEW).map(i -> (turn * 31 + i * 7) % partitions).distinct().toArray();
  }

  private void push(int[] targets) {
    Batch batch = maker.over(targets, 2);
    List<PushOutcome> outcomes = Blocking.get(store().push(batch.messages()));
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof PushOutcome.Queued queued) {
        ids.put(batch.messages().get(i).partition(), queued.partitionId());
      }
    }
  }

  private List<PartitionBatch> pop() {
    List<UUID> candidates = new ArrayList<>();
    for (int i = 0; i < FEW; i++) {
      UUID id = ids.get(BatchMaker.partitionName((turn * 31 + i * 7) % partitions));
      if (id != null) {
        candidates.add(id);
      }
    }
    PopRequest request =
        new PopRequest(
            new PopTarget.Candidates(Optional.of(QUEUE), candidates),
            GROUP,
            100,
            FEW,
            false,
            new Subscription.All());
    return ((PopOutcome.Served) Blocking.get(store().pop(List.of(request))).get(0)).batches();
  }

  private void renew() {
    Blocking.get(
        store()
            .renew(
                held.stream()
                    .flatMap(batch -> batch.lease().stream())
                    .map(Lease::id)
                    .distinct()
                    .map(id -> new Renewal(id, Duration.ofMinutes(10)))
                    .toList()));
  }

  private void ack() {
    Blocking.get(store().ack(acks(held)));
  }

  /** A round of its own: ack what was popped, and push elsewhere. */
  private void transaction() {
    push(few());
    List<PartitionBatch> popped = pop();
    List<Operation> operations = new ArrayList<>();
    for (Message message : maker.over(new int[] {turn % partitions}, 1).messages()) {
      operations.add(new Operation.Push(message));
    }
    acks(popped).forEach(ack -> operations.add(new Operation.Acknowledge(ack)));
    List<UUID> leases =
        popped.stream().flatMap(batch -> batch.lease().stream()).map(Lease::id).distinct().toList();
    Blocking.get(store().transaction(new Transaction(operations, leases)));
  }

  private static List<Ack> acks(List<PartitionBatch> batches) {
    List<Ack> acks = new ArrayList<>();
    for (PartitionBatch batch : batches) {
      batch
          .messages()
          .forEach(
              message ->
                  acks.add(
                      new Ack(
                          batch.partitionId(),
                          GROUP,
                          new MessageRef.ByTransactionId(message.transactionId()),
                          batch.lease().map(Lease::id),
                          AckStatus.COMPLETED,
                          Optional.empty())));
    }
    return acks;
  }

  private void tail() {
    bookmark = Optional.of(Blocking.get(store().tail(bookmark)).bookmark());
  }

  @Override
  public void close() {
    connection.close();
  }
}
