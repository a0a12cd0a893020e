package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.SidecarFigures.Distribution;
import dev.queenmq.server.sidecar.SidecarFigures.OperationFigures;
import dev.queenmq.server.store.PartitionBatch;
import dev.queenmq.server.store.PopOutcome;
import dev.queenmq.server.store.TransactionOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/** Counts the operations of one kind on one sidecar; may be read by any thread. */
final class OperationStatistics {
  private static final List<Long> LATENCIES =
      List.of(
          500L,
          1_000L,
          2_500L,
          5_000L,
          10_000L,
          25_000L,
          50_000L,
          100_000L,
          250_000L,
          500_000L,
          1_000_000L,
          2_500_000L,
          5_000_000L,
          10_000_000L,
          30_000_000L);
  private static final List<Long> BATCHES =
      List.of(1L, 2L, 5L, 10L, 20L, 50L, 100L, 200L, 500L, 1_000L);

  private final String name;
  private final ToLongFunction<List<?>> itemsIn;
  private final LongAdder requests = new LongAdder();
  private final LongAdder items = new LongAdder();
  private final LongAdder calls = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final Counts latency = new Counts(LATENCIES);
  private final Counts batch = new Counts(BATCHES);
  private volatile int pending;

  OperationStatistics(String name) {
    this(name, List::size);
  }

  /**
   * Statistics of a kind of operation.
   *
   * @param itemsIn how many items the answers to a request stand for
   */
  private OperationStatistics(String name, ToLongFunction<List<?>> itemsIn) {
    this.name = name;
    this.itemsIn = itemsIn;
  }

  /** Those of pops count messages, not questions. */
  static OperationStatistics ofPops() {
    return new OperationStatistics("pop", OperationStatistics::delivered);
  }

  /** Those of transactions count what they did. */
  static OperationStatistics ofTransactions() {
    return new OperationStatistics("transaction", OperationStatistics::committed);
  }

  private static long delivered(List<?> outcomes) {
    long messages = 0;
    for (Object outcome : outcomes) {
      if (outcome instanceof PopOutcome.Served served) {
        for (PartitionBatch batch : served.batches()) {
          messages += batch.messages().size();
        }
      }
    }
    return messages;
  }

  private static long committed(List<?> outcomes) {
    long operations = 0;
    for (Object outcome : outcomes) {
      if (outcome instanceof TransactionOutcome.Committed committed) {
        operations += committed.results().size();
      }
    }
    return operations;
  }

  String name() {
    return name;
  }

  void pending(int count) {
    pending = count;
  }

  void called(int requestsInCall) {
    calls.increment();
    batch.add(requestsInCall);
  }

  void answered(List<?> answers, long nanos) {
    requests.increment();
    items.add(itemsIn.applyAsLong(answers));
    latency.add(nanos / 1000);
  }

  void failed(long nanos) {
    requests.increment();
    failures.increment();
    latency.add(nanos / 1000);
  }

  OperationFigures figures() {
    return new OperationFigures(
        name,
        requests.sum(),
        items.sum(),
        calls.sum(),
        failures.sum(),
        pending,
        latency.distribution(),
        batch.distribution());
  }

  /** The same of several sidecars. */
  static OperationFigures sum(OperationFigures a, OperationFigures b) {
    return new OperationFigures(
        a.name(),
        a.requests() + b.requests(),
        a.items() + b.items(),
        a.calls() + b.calls(),
        a.failures() + b.failures(),
        a.pending() + b.pending(),
        sum(a.latency(), b.latency()),
        sum(a.batch(), b.batch()));
  }

  private static Distribution sum(Distribution a, Distribution b) {
    List<Long> counts = new ArrayList<>(a.counts().size());
    for (int i = 0; i < a.counts().size(); i++) {
      counts.add(a.counts().get(i) + b.counts().get(i));
    }
    return new Distribution(a.bounds(), counts, a.sum() + b.sum());
  }

  private static final class Counts {
    private final List<Long> bounds;
    private final AtomicLongArray buckets;
    private final LongAdder sum = new LongAdder();

    Counts(List<Long> bounds) {
      this.bounds = bounds;
      this.buckets = new AtomicLongArray(bounds.size() + 1);
    }

    void add(long value) {
      int bucket = 0;
      while (bucket < bounds.size() && value > bounds.get(bucket)) {
        bucket++;
      }
      buckets.incrementAndGet(bucket);
      sum.add(value);
    }

    Distribution distribution() {
      List<Long> cumulative = new ArrayList<>(buckets.length());
      long total = 0;
      for (int i = 0; i < buckets.length(); i++) {
        total += buckets.get(i);
        cumulative.add(total);
      }
      return new Distribution(bounds, cumulative, sum.sum());
    }
  }
}
