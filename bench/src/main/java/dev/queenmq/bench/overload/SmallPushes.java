package dev.queenmq.bench.overload;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.Reply;
import dev.queenmq.bench.http.ClosedLoop;
import dev.queenmq.bench.http.Meter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Clients that push one message after the other, each until it is stored. */
final class SmallPushes implements AutoCloseable {
  private static final String QUEUE = "usual";
  private static final int PARTITIONS = 50;

  private final EventLoop loop = new EventLoop();
  private final BrokerClient client;
  private final Duration pause;
  private final Meter stored = new Meter();
  private final ClosedLoop clients = new ClosedLoop(stored);
  private final Histogram micros = new ConcurrentHistogram(3);

  /**
   * Starts this many.
   *
   * @param pause of a client between a message and the next
   */
  SmallPushes(BrokerUrl url, int count, Duration pause) {
    client = new BrokerClient(loop.vertx(), url, count);
    this.pause = pause;
    for (int i = 0; i < count; i++) {
      Single single = new Single("customer-" + i % PARTITIONS);
      clients.start(loop.context(), single::push);
    }
  }

  /** One client. */
  private final class Single {
    private final String partition;
    private String id = UUID.randomUUID().toString();
    private long asked = System.nanoTime();

    Single(String partition) {
      this.partition = partition;
    }

    /** Fails if it was refused, and is called again for the same message. */
    Future<Integer> push() {
      return client
          .push(Bodies.push().item(QUEUE, partition, id, "{\"status\":\"created\"}"))
          .map(Reply::orThrow)
          .compose(
              reply -> {
                micros.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - asked));
                return pause.isZero() ? Future.succeededFuture() : loop.pause(pause);
              })
          .map(
              rested -> {
                id = UUID.randomUUID().toString();
                asked = System.nanoTime();
                return 1;
              });
    }
  }

  /** Messages a second that are stored in a time, which this waits for. */
  double rate(Duration length) {
    long before = stored.messages();
    long from = System.nanoTime();
    Blocking.sleep(length);
    return (stored.messages() - before) * 1e9 / (System.nanoTime() - from);
  }

  /** Requests that were not answered with 2xx. */
  long refused() {
    return stored.errors();
  }

  /** The time from the first attempt until a message was stored. */
  Histogram micros() {
    return micros;
  }

  @Override
  public void close() {
    clients.stop();
    loop.close();
  }
}
