package dev.queenmq.bench.retention;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Producers and consumers of one queue, each as fast as it is answered. */
final class Traffic implements AutoCloseable {
  private static final int PRODUCERS = 8;
  private static final int CONSUMERS = 4;
  private static final int BATCH = 20;
  private static final String CONTENT = "\"customer\":\"one of many\",\"cents\":12990}";

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final BrokerClient client;
  private final String queue;
  private final Received fast = new Received();
  private final LongAdder pushed = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile boolean stopped;

  Traffic(BrokerUrl url, String queue) {
    client = new BrokerClient(vertx, url, PRODUCERS + CONSUMERS + 1);
    this.queue = queue;
  }

  void start() {
    for (int i = 0; i < PRODUCERS; i++) {
      String partition = "p" + i;
      vertx.runOnContext(go -> push(partition, 0));
    }
    for (int i = 0; i < CONSUMERS; i++) {
      vertx.runOnContext(go -> consume());
    }
  }

  private void push(String partition, long from) {
    Bodies body = Bodies.push();
    for (long n = from; n < from + BATCH; n++) {
      body.item(queue, partition, partition + "-" + n, "{\"n\":" + n + "," + CONTENT);
    }
    client
        .post(BrokerClient.PUSH, body.finish())
        .onComplete(
            reply -> {
              boolean stored = reply.succeeded() && reply.result().isSuccess();
              if (stored) {
                pushed.add(BATCH);
              } else {
                failed.increment();
              }
              if (!stopped) {
                push(partition, stored ? from + BATCH : from);
              }
            });
  }

  private void consume() {
    pop("fast", fast, "&wait=true&timeout=500")
        .onComplete(
            reply -> {
              if (reply.failed()) {
                failed.increment();
              }
              if (!stopped) {
                consume();
              }
            });
  }

  private Future<Integer> pop(String group, Received received, String more) {
    return client
        .get(
            BrokerClient.popPath(queue)
                + "?autoAck=true&batch=500&partitions=8&consumerGroup="
                + group
                + more)
        .map(
            reply -> {
              var messages = Answers.pop(reply);
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
    Received received = group.equals("fast") ? fast : new Received();
    Promise<Void> empty = Promise.promise();
    vertx.runOnContext(go -> drain(group, received, empty));
    Blocking.get(empty.future());
    return received;
  }

  private void drain(String group, Received received, Promise<Void> empty) {
    pop(group, received, "&wait=true&timeout=1000")
        .onSuccess(
            count -> {
              if (count == 0) {
                empty.complete();
              } else {
                drain(group, received, empty);
              }
            })
        .onFailure(empty::fail);
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
    return pushed.sum() + fast.messages();
  }

  long pushed() {
    return pushed.sum();
  }

  long failed() {
    return failed.sum();
  }

  /** No new requests; those on their way are answered. */
  void stop() {
    stopped = true;
    Blocking.sleep(Duration.ofSeconds(1));
  }

  /** Fills a queue that nobody reads with so many messages, and says how long it took. */
  Duration fill(String name, int count, int partitions) {
    long began = System.nanoTime();
    int each = 1_000;
    for (int from = 0; from < count; from += each) {
      Bodies body = Bodies.push();
      for (int n = from; n < Math.min(count, from + each); n++) {
        body.item(
            name,
            "p" + from / each % partitions,
            Integer.toString(n),
            "{\"n\":" + n + "," + CONTENT);
      }
      Buffer text = body.finish();
      Blocking.get(client.post(BrokerClient.PUSH, text)).orThrow();
    }
    return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
  }

  BrokerClient client() {
    return client;
  }

  @Override
  public void close() {
    stopped = true;
    Blocking.get(client.close());
    Blocking.get(vertx.close());
  }
}
