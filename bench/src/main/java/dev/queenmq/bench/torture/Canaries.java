package dev.queenmq.bench.torture;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BlockingClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One for each broker, which pushes a message through it and waits for that message there, again
 * and again: so one knows when a broker works, and from when on again. Each has a thread of its
 * own.
 */
final class Canaries implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(40);
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
  private static final double NANOS = 1e9;
  private static final String QUERY =
      "consumerGroup=canary&autoAck=true&batch=1000&wait=true&timeout=2000";

  private final List<Canary> canaries = new ArrayList<>();
  private volatile boolean over;

  Canaries(Map<String, BrokerUrl> brokers) {
    brokers.forEach((name, url) -> canaries.add(new Canary(name, url)));
    canaries.forEach(canary -> canary.thread.start());
  }

  /** Seconds from that moment until all brokers work; empty if they do not by then. */
  OptionalDouble await(long since, Duration limit) {
    return Blocking.await(limit, POLL_INTERVAL, () -> silent(since).isEmpty())
        ? OptionalDouble.of((System.nanoTime() - since) / NANOS)
        : OptionalDouble.empty();
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
    Blocking.join(canaries.stream().map(canary -> canary.thread).toList());
  }

  /** What goes to and fro through one broker. */
  private final class Canary {
    private final String name;
    private final String queue;
    private final BlockingClient client;
    private final Thread thread;

    /** When the latest that came back was sent. */
    private volatile long begun = System.nanoTime() - Duration.ofHours(1).toNanos();

    Canary(String name, BrokerUrl url) {
      this.name = name;
      queue = "canary-" + name;
      client = new BlockingClient(url, LIMIT);
      thread = new Thread(this::run, queue);
      thread.setDaemon(true);
    }

    private void run() {
      long number = System.nanoTime();
      while (!over) {
        long start = System.nanoTime();
        if (comesBack(Long.toString(number++, Character.MAX_RADIX))) {
          begun = start;
        }
        Blocking.sleep(PAUSE);
      }
    }

    private boolean comesBack(String id) {
      if (client.push(queue, id).filter(BlockingClient::isStored).isEmpty()) {
        return false;
      }
      for (int i = 0; i < 3 && !over; i++) {
        Optional<PopMessage> got = client.pop(queue, QUERY).flatMap(BlockingClient::last);
        if (got.filter(message -> message.transactionId().equals(id)).isPresent()) {
          return true;
        }
      }
      return false;
    }
  }
}
