package dev.queenmq.bench.waiting;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** One long poll of each consumer, and when they were answered. Read by any thread. */
final class Round {
  static final Duration TOLERANCE = Duration.ofMillis(50);

  private final LongSupplier patience;
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger early = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();
  private final Histogram behindMicros = new ConcurrentHistogram(3);

  private Round(LongSupplier patience) {
    this.patience = patience;
  }

  /** All wait equally long, and end as they began. */
  static Round of(Duration patience) {
    long millis = patience.toMillis();
    return new Round(() -> millis);
  }

  /** All wait until this moment, by {@link System#nanoTime}. */
  static Round until(long nanos) {
    return new Round(() -> TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime()));
  }

  /** How many milliseconds a poll that begins now waits. */
  long patienceMillis() {
    return Math.max(1, patience.getAsLong());
  }

  /** One was answered this long after its deadline. */
  void count(int status, long behindNanos) {
    if (status != 204) {
      wrong.incrementAndGet();
    } else if (behindNanos < 0) {
      early.incrementAndGet();
    } else {
      behindMicros.recordValue(TimeUnit.NANOSECONDS.toMicros(behindNanos));
      if (behindNanos > TOLERANCE.toNanos()) {
        late.incrementAndGet();
      }
    }
    answered.incrementAndGet();
  }

  int answered() {
    return answered.get();
  }

  /** Answers other than 204. */
  int wrong() {
    return wrong.get();
  }

  /** Polls that were answered before their deadline. */
  int early() {
    return early.get();
  }

  /** Further behind their deadline than is tolerated. */
  int late() {
    return late.get();
  }

  /** How far behind its deadline each answer was. */
  Histogram behindMicros() {
    return behindMicros;
  }
}
