package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.Seek;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * A database of some size on which the same work is timed again and again: ten partitions at
 * random, ten pushes of ten messages to each, a pop of a hundred from each, their ack.
 */
final class FlatSide implements AutoCloseable {
  private static final String QUEUE = "flat";
  private static final String GROUP = "workers";
  private static final int ACTIVE = 10;
  private static final int EACH = 10;
  private static final int BATCH = 100;
  private static final long HIGHEST_MICROS = 60_000_000;

  private final String name;
  private final int partitions;
  private final StoreConnection connection;
  private final BatchMaker maker;
  private final SplittableRandom random;
  private final Map<String, UUID> ids = new HashMap<>();
  private final Histogram push = new Histogram(HIGHEST_MICROS, 3);
  private final Histogram pop = new Histogram(HIGHEST_MICROS, 3);
  private final Histogram ack = new Histogram(HIGHEST_MICROS, 3);

  FlatSide(String name, BenchDatabase database, int partitions, long seed) {
    this.name = name;
    this.partitions = partitions;
    this.connection = StoreConnection.open(database);
    this.maker = new BatchMaker(QUEUE, seed);
    this.random = new SplittableRandom(seed);
  }

  String name() {
    return name;
  }

  Histogram push() {
    return push;
  }

  Histogram pop() {
    return pop;
  }

  Histogram ack() {
    return ack;
  }

  void resetTimes() {
    push.reset();
    pop.reset();
    ack.reset();
  }

  /** Stores so many messages, so many to a partition at a time, and puts the group behind them. */
  void fill(long messages, int perPartition) {
    int perCommit = Math.max(1, Math.min(partitions, 10_000 / perPartition));
    int first = 0;
    for (long stored = 0; stored < messages; stored += (long) perCommit * perPartition) {
      int from = first;
      pushed(
          maker.over(
              IntStream.range(0, perCommit).map(i -> (from + i) % partitions).toArray(),
              perPartition));
      first = (first + perCommit) % partitions;
    }
    // A seek makes no group: the first pop does.
    Blocking.get(
        connection
            .store()
            .pop(
                List.of(
                    new PopRequest(
                        new PopTarget.Candidates(Optional.of(QUEUE), List.of()),
                        GROUP,
                        1,
                        1,
                        false,
                        new Subscription.All()))));
    Blocking.get(
        connection.store().seek(new Seek(QUEUE, Optional.empty(), GROUP, new Seek.Position.End())));
  }

  /** The work. */
  void cycle() {
    Set<Integer> chosen = new LinkedHashSet<>();
    while (chosen.size() < ACTIVE) {
      chosen.add(random.nextInt(partitions));
    }
    int[] active = chosen.stream().mapToInt(Integer::intValue).toArray();
    for (int i = 0; i < BATCH / EACH; i++) {
      Batch batch = maker.over(active, EACH);
      timed(
          push,
          () -> {
            pushed(batch);
            return batch;
          });
    }
    for (int partition : active) {
      UUID id = ids.get(BatchMaker.partitionName(partition));
      if (id == null) {
        throw new IllegalStateException("unknown partition " + partition);
      }
      PartitionBatch popped = timed(pop, () -> pop(id));
      timed(ack, () -> acknowledge(popped));
    }
  }

  private static <T> T timed(Histogram times, Supplier<T> call) {
    long start = System.nanoTime();
    T result = call.get();
    times.recordValue(Math.min(HIGHEST_MICROS, (System.nanoTime() - start) / 1000));
    return result;
  }

  private void pushed(Batch batch) {
    List<PushOutcome> outcomes = Blocking.get(connection.store().push(batch.messages()));
    QueenPush.queued(outcomes);
    for (int i = 0; i < outcomes.size(); i++) {
      Message message = batch.messages().get(i);
      if (outcomes.get(i) instanceof PushOutcome.Queued queued) {
        ids.put(message.partition(), queued.partitionId());
      }
    }
  }

  private PartitionBatch pop(UUID partition) {
    PopRequest request =
        new PopRequest(
            new PopTarget.Candidates(Optional.of(QUEUE), List.of(partition)),
            GROUP,
            BATCH,
            1,
            false,
            new Subscription.All());
    PopOutcome outcome = Blocking.get(connection.store().pop(List.of(request))).get(0);
    if (outcome instanceof PopOutcome.Served served
        && served.batches().size() == 1
        && served.batches().get(0).messages().size() == BATCH) {
      return served.batches().get(0);
    }
    throw new IllegalStateException("not a full batch: " + outcome);
  }

  private List<AckOutcome> acknowledge(PartitionBatch popped) {
    List<Ack> acks =
        popped.messages().stream()
            .map(
                message ->
                    new Ack(
                        popped.partitionId(),
                        GROUP,
                        new MessageRef.ByTransactionId(message.transactionId()),
                        popped.lease().map(Lease::id),
                        AckStatus.COMPLETED,
                        Optional.empty()))
            .toList();
    return Blocking.get(connection.store().ack(acks));
  }

  @Override
  public void close() {
    connection.close();
  }
}
