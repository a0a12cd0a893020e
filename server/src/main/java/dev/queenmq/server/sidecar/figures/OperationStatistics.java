package dev.queenmq.server.sidecar.figures;

import dev.queenmq.server.broker.SidecarFigures.OperationFigures;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/** Counts the operations of one kind on one sidecar; may be read by any thread. */
public final class OperationStatistics {
  private final String name;
  private final ToLongFunction<List<?>> itemsIn;
  private final LongAdder requests = new LongAdder();
  private final LongAdder items = new LongAdder();
  private final LongAdder calls = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final Histogram latency = new Histogram(Histogram.LATENCIES);
  private final Histogram batch = new Histogram(Histogram.SIZES);
  private final boolean countsItems;
  private volatile int pending;

  public OperationStatistics(String name) {
    this(name, List::size, false);
  }

  /**
   * Statistics of a kind of operation.
   *
   * @param itemsIn how many items the answers to a request stand for
   * @param countsItems whether the size of a call is that of its items, not of its requests
   */
  private OperationStatistics(String name, ToLongFunction<List<?>> itemsIn, boolean countsItems) {
    this.name = name;
    this.itemsIn = itemsIn;
    this.countsItems = countsItems;
  }

  /**
   * Those of pops count messages, not questions; and a request is that of a group, for many polls.
   */
  public static OperationStatistics ofPops() {
    return new OperationStatistics("pop", OperationStatistics::delivered, true);
  }

  /** Those of transactions count what they did. */
  public static OperationStatistics ofTransactions() {
    return new OperationStatistics("transaction", OperationStatistics::committed, false);
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

  public String name() {
    return name;
  }

  public void pending(int count) {
    pending = count;
  }

  public int pending() {
    return pending;
  }

  public void called(int requestsInCall, int itemsInCall) {
    calls.increment();
    batch.add(countsItems ? itemsInCall : requestsInCall);
  }

  public void answered(List<?> answers, long nanos) {
    requests.increment();
    items.add(itemsIn.applyAsLong(answers));
    latency.add(nanos / 1000);
  }

  /** Items that came without a request: what pushes have handed over to polls. */
  public void answeredAhead(List<?> answers) {
    items.add(itemsIn.applyAsLong(answers));
  }

  public void failed(long nanos) {
    requests.increment();
    failures.increment();
    latency.add(nanos / 1000);
  }

  public OperationFigures figures() {
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
  public static OperationFigures sum(OperationFigures a, OperationFigures b) {
    return new OperationFigures(
        a.name(),
        a.requests() + b.requests(),
        a.items() + b.items(),
        a.calls() + b.calls(),
        a.failures() + b.failures(),
        a.pending() + b.pending(),
        Histogram.sum(a.latency(), b.latency()),
        Histogram.sum(a.batch(), b.batch()));
  }
}
