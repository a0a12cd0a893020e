package dev.queenmq.bench.torture;

import dev.queenmq.bench.broker.BrokerUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One for each broker, which pushes a message through it and waits for that message there, again
 * and again: so one knows when a broker works, and from when on again. Each has a thread of its
 * own.
 */
final class Canaries implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(40);
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final Duration GLANCE = Duration.ofMillis(20);
  private static final double NANOS = 1e9;

  private final List<Canary> canaries = new ArrayList<>();
  private volatile boolean over;

  Canaries(Map<String, BrokerUrl> brokers) {
    brokers.forEach((name, url) -> canaries.add(new Canary(name, url)));
    canaries.forEach(canary -> canary.thread.start());
  }

  /** Seconds from that moment until all brokers work; empty if they do not after so long. */
  OptionalDouble await(long since, Duration limit) {
    while (System.nanoTime() - since < limit.toNanos()) {
      if (canaries.stream().allMatch(canary -> canary.begun - since >= 0)) {
        return OptionalDouble.of((System.nanoTime() - since) / NANOS);
      }
      Waiting.sleep(GLANCE);
    }
    return OptionalDouble.empty();
  }

  /** Those that do not work since then. */
  List<String> silent(long since) {
    return canaries.stream()
        .filter(canary -> canary.begun - since < 0)
        .map(canary -> canary.name)
        .toList();
  }

  @Override
  public void close() {
    over = true;
    for (Canary canary : canaries) {
      try {
        canary.thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  /** What goes to and fro through one broker. */
  private final class Canary {
    private final String name;
    private final String queue;
    private final Caller caller;
    private final Thread thread;

    /** When the latest that came back was sent. */
    private volatile long begun = System.nanoTime() - Duration.ofHours(1).toNanos();

    Canary(String name, BrokerUrl url) {
      this.name = name;
      queue = "canary-" + name;
      caller = new Caller(url, LIMIT);
      thread = new Thread(this::run, queue);
      thread.setDaemon(true);
    }

    private void run() {
      long number = System.nanoTime();
      while (!over) {
        long start = System.nanoTime();
        try {
          if (comesBack(Long.toString(number++, Character.MAX_RADIX))) {
            begun = start;
          }
          Waiting.sleep(PAUSE);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }

    private boolean comesBack(String id) throws InterruptedException {
      if (!caller.push(queue, id)) {
        return false;
      }
      String query = "consumerGroup=canary&autoAck=true&batch=1000&wait=true&timeout=2000";
      for (int i = 0; i < 3 && !over; i++) {
        if (caller.pop(queue, query).filter(got -> got.transactionId().equals(id)).isPresent()) {
          return true;
        }
      }
      return false;
    }
  }
}
