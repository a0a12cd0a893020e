package dev.queenmq.bench.retention;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.http.ClosedLoop;
import dev.queenmq.bench.http.Meter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Producers and consumers of one queue, each as fast as it is answered. */
final class Traffic implements AutoCloseable {
  private static final String FAST = "fast";
  private static final int PRODUCERS = 8;
  private static final int CONSUMERS = 4;
  private static final int BATCH = 20;
  private static final int FILL_BATCH = 1_000;
  private static final String CONTENT = ",\"customer\":\"one of many\",\"cents\":12990}";

  private final EventLoop loop = new EventLoop();
  private final BrokerClient client;
  private final String queue;
  private final Received fast = new Received();
  private final Meter pushed = new Meter();
  private final Meter popped = new Meter();
  private final ClosedLoop producers = new ClosedLoop(pushed);
  private final ClosedLoop consumers = new ClosedLoop(popped);

  Traffic(BrokerUrl url, String queue) {
    client = new BrokerClient(loop.vertx(), url, PRODUCERS + CONSUMERS + 1);
    this.queue = queue;
  }

  void start() {
    for (int i = 0; i < PRODUCERS; i++) {
      String partition = "p" + i;
      AtomicLong next = new AtomicLong();
      producers.start(loop.context(), () -> push(partition, next));
    }
    for (int i = 0; i < CONSUMERS; i++) {
      consumers.start(loop.context(), () -> pop(FAST, fast, "&wait=true&timeout=500"));
    }
  }

  private Future<Integer> push(String partition, AtomicLong next) {
    Bodies body = Bodies.push();
    for (long n = next.get(); n < next.get() + BATCH; n++) {
      body.item(queue, partition, partition + "-" + n, "{\"n\":" + n + CONTENT);
    }
    return client
        .push(body)
        .map(
            reply -> {
              reply.orThrow();
              next.addAndGet(BATCH);
              return BATCH;
            });
  }

  private Future<Integer> pop(String group, Received received, String more) {
    return client
        .pop(queue, "autoAck=true&batch=500&partitions=8&consumerGroup=" + group + more)
        .map(
            messages -> {
              received.got(messages);
              return messages.size();
            });
  }

  /** A group meets the queue, and comes back later. */
  void meet(String group) {
    Blocking.get(pop(group, new Received(), ""));
  }

  /** Lets a group read all that there is for it. */
  Received drain(String group) {
    Received received = group.equals(FAST) ? fast : new Received();
    int got;
    do {
      got = loop.await(() -> pop(group, received, "&wait=true&timeout=1000"));
    } while (got > 0);
    return received;
  }

  /** Messages a second, pushed and popped, in a time, which this waits for. */
  double rate(Duration length) {
    long before = messages();
    long from = System.nanoTime();
    Blocking.sleep(length);
    return rate(before, from);
  }

  double rate(long messagesBefore, long since) {
    return (messages() - messagesBefore) * 1e9 / (System.nanoTime() - since);
  }

  long messages() {
    return pushed() + fast.messages();
  }

  long pushed() {
    return pushed.messages();
  }

  long failed() {
    return pushed.errors() + popped.errors();
  }

  /** No new requests; those on their way are answered. */
  void stop() {
    producers.close();
    consumers.close();
  }

  /** Fills a queue without consumers with this many messages; returns how long it took. */
  Duration fill(String name, int count, int partitions) {
    long began = System.nanoTime();
    for (int from = 0; from < count; from += FILL_BATCH) {
      Bodies body = Bodies.push();
      String partition = "p" + from / FILL_BATCH % partitions;
      for (int n = from; n < Math.min(count, from + FILL_BATCH); n++) {
        body.item(name, partition, Integer.toString(n), "{\"n\":" + n + CONTENT);
      }
      Blocking.get(client.push(body)).orThrow();
    }
    return Duration.ofNanos(System.nanoTime() - began);
  }

  BrokerClient client() {
    return client;
  }

  EventLoop loop() {
    return loop;
  }

  @Override
  public void close() {
    stop();
    loop.close();
  }
}
