package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** One call of each kind that a busy broker makes all the time, on a database of any size. */
final class HotCalls implements AutoCloseable {
  static final String QUEUE = "hot";
  private static final int FEW = 5;
  private static final int BATCH = 100;

  private final StoreConnection connection;
  private final StoreCalls calls;
  private final BatchMaker maker;
  private final int partitions;
  private Optional<String> bookmark = Optional.empty();
  private List<PartitionBatch> held = List.of();
  private int turn;

  HotCalls(StoreConnection connection, int partitions, long seed) {
    this.connection = connection;
    this.partitions = partitions;
    calls = new StoreCalls(connection, QUEUE);
    maker = new BatchMaker(QUEUE, seed);
  }

  /** Stores this many messages in every partition and puts the group behind them. */
  void fill(int perPartition) {
    for (int i = 0; i < perPartition; i++) {
      for (int first = 0; first < partitions; first += 1000) {
        push(IntStream.range(first, Math.min(partitions, first + 1000)));
      }
    }
    calls.skipAll();
    tail();
  }

  /** The calls by name; to be made in this order, again and again. */
  Map<String, Runnable> calls() {
    Map<String, Runnable> all = new LinkedHashMap<>();
    all.put("push", this::pushFew);
    all.put("pop", () -> held = pop());
    all.put("renew", this::renew);
    all.put(
        "ack",
        () -> Blocking.get(calls.store().ack(StoreCalls.acks(held, StoreCalls::byTransactionId))));
    all.put("transaction", this::transaction);
    all.put("tail", this::tail);
    return all;
  }

  private IntStream few() {
    return IntStream.range(0, FEW).map(i -> (turn * 31 + i * 7) % partitions).distinct();
  }

  private void pushFew() {
    turn++;
    push(few());
  }

  private void push(IntStream targets) {
    calls.push(maker.over(targets.toArray(), 2).messages());
  }

  private List<PartitionBatch> pop() {
    List<UUID> candidates =
        few()
            .mapToObj(BatchMaker::partitionName)
            .flatMap(name -> calls.partition(name).stream())
            .toList();
    return Blocking.get(calls.pop(candidates, BATCH));
  }

  private static List<UUID> leases(List<PartitionBatch> batches) {
    return batches.stream()
        .flatMap(batch -> batch.lease().stream())
        .map(Lease::id)
        .distinct()
        .toList();
  }

  private void renew() {
    Duration length = Duration.ofMinutes(10);
    Blocking.get(
        calls.store().renew(leases(held).stream().map(id -> new Renewal(id, length)).toList()));
  }

  /** A round of its own: ack what was popped, and push elsewhere. */
  private void transaction() {
    pushFew();
    List<PartitionBatch> popped = pop();
    List<Operation> operations = new ArrayList<>();
    for (Message message : maker.over(new int[] {turn % partitions}, 1).messages()) {
      operations.add(new Operation.Push(message));
    }
    StoreCalls.acks(popped, StoreCalls::byTransactionId)
        .forEach(ack -> operations.add(new Operation.Acknowledge(ack)));
    Blocking.get(calls.store().transaction(new Transaction(operations, leases(popped))));
  }

  private void tail() {
    bookmark = Optional.of(Blocking.get(calls.store().tail(bookmark)).bookmark());
  }

  @Override
  public void close() {
    connection.close();
  }
}
