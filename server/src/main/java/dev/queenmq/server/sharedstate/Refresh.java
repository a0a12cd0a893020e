package dev.queenmq.server.sharedstate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads everything from the database from time to time, independent of packets. Thread-safe. */
final class Refresh {
  private static final Logger LOG = LoggerFactory.getLogger(Refresh.class);

  private final LongSupplier clock;
  private final long intervalMillis;
  private final Supplier<CompletionStage<Void>> work;
  // Set when a refresh begins: one that never ends does not keep the next from beginning.
  private final AtomicLong dueAt;
  private final LongAdder failures = new LongAdder();

  Refresh(LongSupplier clock, long intervalMillis, Supplier<CompletionStage<Void>> work) {
    this.clock = clock;
    this.intervalMillis = intervalMillis;
    this.work = work;
    this.dueAt = new AtomicLong(clock.getAsLong());
  }

  void ifDue() {
    long now = clock.getAsLong();
    long due = dueAt.get();
    if (now >= due && dueAt.compareAndSet(due, now + intervalMillis)) {
      var unused = run();
    }
  }

  CompletableFuture<Void> now() {
    dueAt.set(clock.getAsLong() + intervalMillis);
    return run();
  }

  private CompletableFuture<Void> run() {
    return Futures.start(work)
        .exceptionally(
            failure -> {
              // An outage of the database is reported elsewhere; the next refresh will do.
              LOG.debug("cannot read the versions of queues", failure);
              failures.increment();
              return null;
            });
  }

  long failures() {
    return failures.sum();
  }
}
