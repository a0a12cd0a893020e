package dev.queenmq.bench.overload;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Clients who push one message after the other, each until it is stored. */
final class SmallPushes implements AutoCloseable {
  private static final int PARTITIONS = 50;
  private static final long AFTER_REFUSAL_MILLIS = 100;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final BrokerClient client;
  private final String queue;
  private final long pauseMillis;
  private final LongAdder stored = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final Histogram micros = new ConcurrentHistogram(3);
  private volatile boolean stopped;

  /**
   * Starts so many.
   *
   * @param pause of a client between a message and the next
   */
  SmallPushes(BrokerUrl url, String queue, int clients, Duration pause) {
    client = new BrokerClient(vertx, url, clients);
    this.queue = queue;
    this.pauseMillis = pause.toMillis();
    for (int i = 0; i < clients; i++) {
      String partition = "customer-" + i % PARTITIONS;
      vertx.runOnContext(go -> push(partition, UUID.randomUUID().toString(), System.nanoTime()));
    }
  }

  private void push(String partition, String id, long asked) {
    client
        .post(
            BrokerClient.PUSH,
            Bodies.push().item(queue, partition, id, "{\"status\":\"created\"}").finish())
        .onComplete(
            reply -> {
              if (stopped) {
                return;
              }
              if (reply.failed() || !reply.result().isSuccess()) {
                refused.increment();
                vertx.setTimer(AFTER_REFUSAL_MILLIS, again -> push(partition, id, asked));
              } else {
                stored.increment();
                micros.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - asked));
                later(() -> push(partition, UUID.randomUUID().toString(), System.nanoTime()));
              }
            });
  }

  private void later(Runnable next) {
    if (pauseMillis == 0) {
      vertx.runOnContext(go -> next.run());
    } else {
      vertx.setTimer(pauseMillis, over -> next.run());
    }
  }

  /** Messages a second that are stored in a time, which this waits for. */
  double rate(Duration length) {
    long before = stored.sum();
    long from = System.nanoTime();
    Blocking.sleep(length);
    return (stored.sum() - before) * 1e9 / (System.nanoTime() - from);
  }

  /** Requests that were not answered with 2xx. */
  long refused() {
    return refused.sum();
  }

  /** From the first attempt until a message was stored. */
  Histogram micros() {
    return micros;
  }

  @Override
  public void close() {
    stopped = true;
    Blocking.get(client.close());
    Blocking.get(vertx.close());
  }
}
