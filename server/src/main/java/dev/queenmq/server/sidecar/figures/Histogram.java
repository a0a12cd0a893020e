package dev.queenmq.server.sidecar.figures;

import dev.queenmq.server.broker.SidecarFigures.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Counts values below fixed bounds. Safe for use by several threads. */
public final class Histogram {
  /** Microseconds, from half a millisecond to half a minute. */
  static final List<Long> LATENCIES =
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

  /** Numbers of things. */
  static final List<Long> SIZES =
      List.of(1L, 2L, 5L, 10L, 20L, 50L, 100L, 200L, 500L, 1_000L, 2_000L, 5_000L, 10_000L);

  private final List<Long> bounds;
  private final AtomicLongArray buckets;
  private final LongAdder sum = new LongAdder();

  Histogram(List<Long> bounds) {
    this.bounds = bounds;
    this.buckets = new AtomicLongArray(bounds.size() + 1);
  }

  void add(long value) {
    add(value, 1);
  }

  /** The same value a number of times. */
  void add(long value, long times) {
    int bucket = 0;
    while (bucket < bounds.size() && value > bounds.get(bucket)) {
      bucket++;
    }
    buckets.addAndGet(bucket, times);
    sum.add(value * times);
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

  /** Both together; they have the same bounds. */
  public static Distribution sum(Distribution a, Distribution b) {
    List<Long> counts = new ArrayList<>(a.counts().size());
    for (int i = 0; i < a.counts().size(); i++) {
      counts.add(a.counts().get(i) + b.counts().get(i));
    }
    return new Distribution(a.bounds(), counts, a.sum() + b.sum());
  }
}
