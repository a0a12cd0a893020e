package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.Report;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.PartitionBatch;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Whether push, pop and ack cost the same however much is stored: a database of some size on which
 * the same work is timed again and again. Ten partitions at random, ten pushes of ten messages to
 * each, a pop of a hundred from each, their ack.
 */
final class FlatSide implements AutoCloseable {
  private static final double LIMIT = 1.5;
  private static final String QUEUE = "flat";
  private static final int ACTIVE = 10;
  private static final int EACH = 10;
  private static final int BATCH = 100;

  private final String name;
  private final int partitions;
  private final StoreConnection connection;
  private final StoreCalls calls;
  private final BatchMaker maker;
  private final SplittableRandom random;
  private final Histogram push = new Histogram(3);
  private final Histogram pop = new Histogram(3);
  private final Histogram ack = new Histogram(3);

  private FlatSide(String name, BenchDatabase database, int partitions, long seed) {
    this.name = name;
    this.partitions = partitions;
    connection = StoreConnection.open(database);
    calls = new StoreCalls(connection, QUEUE);
    maker = new BatchMaker(QUEUE, seed);
    random = new SplittableRandom(seed);
  }

  /** Compares databases of several sizes. */
  static void compare(BenchPostgres postgres, Scale scale, Report report) {
    report.heading(
        "Flat cost: pushes of 100 over 10 random partitions, pops and acks of 100 from one");
    BenchDatabase messages = postgres.createDatabase("flat_messages");
    BenchDatabase partitions = postgres.createDatabase("flat_partitions");
    BenchDatabase base = postgres.createDatabase("flat_base");
    int many = scale.sparsePartitions();
    long stored = scale.storedMessages();
    long seed = scale.seed();
    try (FlatSide small = new FlatSide("10000 messages, 100 partitions", base, 100, seed);
        FlatSide deep = new FlatSide(stored + " messages, 100 partitions", messages, 100, seed);
        FlatSide wide =
            new FlatSide(many + " partitions, a message in each", partitions, many, seed)) {
      List<FlatSide> sides = List.of(small, deep, wide);
      deep.fill(stored, 100);
      wide.fill(many, 1);
      small.fill(10_000, 100);
      List.of(base, messages, partitions).forEach(each -> each.query("vacuum analyze"));
      for (int round = 0; round < scale.race().warmUps() + scale.race().rounds(); round++) {
        if (round == scale.race().warmUps()) {
          sides.forEach(FlatSide::resetTimes);
        }
        for (int turn = 0; turn < sides.size(); turn++) {
          FlatSide side = sides.get((round + turn) % sides.size());
          side.cycle();
          side.cycle();
        }
      }
      report.line("  %-40s %10s %10s %10s", "median ms", "push", "pop", "ack");
      for (FlatSide side : sides) {
        report.line(
            "  %-40s %10.2f %10.2f %10.2f",
            side.name, median(side.push), median(side.pop), median(side.ack));
      }
      for (FlatSide side : List.of(deep, wide)) {
        atMost(report, "push at " + side.name, median(side.push) / median(small.push));
        atMost(report, "pop at " + side.name, median(side.pop) / median(small.pop));
        atMost(report, "ack at " + side.name, median(side.ack) / median(small.ack));
      }
    }
  }

  private static void atMost(Report report, String what, double ratio) {
    report.check(
        what,
        String.format(Locale.ROOT, "%.2f", ratio),
        String.format(Locale.ROOT, "<= %.2f", LIMIT),
        ratio <= LIMIT);
  }

  private static double median(Histogram times) {
    return times.getValueAtPercentile(50) / 1000.0;
  }

  private void resetTimes() {
    List.of(push, pop, ack).forEach(Histogram::reset);
  }

  /** Stores messages, some to a partition at a time, and puts the group behind them. */
  private void fill(long messages, int perPartition) {
    int perCommit = Math.max(1, Math.min(partitions, 10_000 / perPartition));
    int first = 0;
    for (long stored = 0; stored < messages; stored += (long) perCommit * perPartition) {
      int from = first;
      int[] targets = IntStream.range(0, perCommit).map(i -> (from + i) % partitions).toArray();
      calls.push(maker.over(targets, perPartition).messages());
      first = (first + perCommit) % partitions;
    }
    calls.skipAll();
  }

  /** The work. */
  private void cycle() {
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
            calls.push(batch.messages());
            return true;
          });
    }
    for (int partition : active) {
      UUID id = calls.partition(BatchMaker.partitionName(partition)).orElseThrow();
      PartitionBatch popped = timed(pop, () -> Blocking.get(calls.popFull(id, BATCH)));
      timed(
          ack,
          () ->
              Blocking.get(
                  calls
                      .store()
                      .ack(StoreCalls.acks(List.of(popped), StoreCalls::byTransactionId))));
    }
  }

  private static <T> T timed(Histogram times, Supplier<T> call) {
    long start = System.nanoTime();
    T result = call.get();
    times.recordValue((System.nanoTime() - start) / 1000);
    return result;
  }

  @Override
  public void close() {
    connection.close();
  }
}
