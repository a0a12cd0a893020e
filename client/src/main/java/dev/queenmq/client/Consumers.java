package dev.queenmq.client;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/** The consumers of a client that run now, and what they share. */
// Callbacks see every outcome; the futures that they return say nothing more.
@SuppressWarnings("FutureReturnValueIgnored")
final class Consumers {
  private final ScheduledExecutorService timer;
  private final Executor threads;
  private final Set<RunningConsumer<?>> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Consumers(ScheduledExecutorService timer, Executor threads) {
    this.timer = timer;
    this.threads = threads;
  }

  ScheduledExecutorService timer() {
    return timer;
  }

  Executor threads() {
    return threads;
  }

  QueenConsumer start(RunningConsumer<?> consumer) {
    if (closed) {
      throw new IllegalStateException("the client is closed");
    }
    running.add(consumer);
    consumer.whenStopped().whenComplete((done, failure) -> running.remove(consumer));
    consumer.begin();
    return consumer;
  }

  /** Whether a handler of one of them is what calls this. */
  boolean areCalling() {
    return running.stream().anyMatch(RunningConsumer::isCalledByItsHandler);
  }

  /** Stops all of them at the same time; from now on none can be started. */
  void stop(Duration deadline) {
    closed = true;
    List<RunningConsumer<?>> all = List.copyOf(running);
    all.forEach(RunningConsumer::stopAsync);
    long end = System.nanoTime() + RetryPolicy.capped(deadline).toNanos();
    for (RunningConsumer<?> each : all) {
      each.stop(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }
  }
}
