package dev.queenmq.server.sharedstate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Reads everything from the database from time to time, whatever else was heard. Thread-safe. */
final class Refresh {
  private final LongSupplier clock;
  private final long intervalMillis;
  private final Supplier<CompletionStage<Void>> work;
  // Set when a refresh begins: one that never ends does not keep the next from beginning.
  private final AtomicLong dueAt;
  private final Mishaps failures =
      new Mishaps("cannot read the settings of queues from the database");

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
              failures.add(failure);
              return null;
            });
  }

  long failures() {
    return failures.count();
  }
}
