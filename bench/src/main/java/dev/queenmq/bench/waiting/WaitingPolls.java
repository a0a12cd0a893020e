package dev.queenmq.bench.waiting;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Long polls on empty queues, each on a connection of its own. */
final class WaitingPolls implements AutoCloseable {
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final BrokerClient client;
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger early = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();
  private final AtomicLong slowest = new AtomicLong();

  WaitingPolls(BrokerUrl url, int most) {
    client = new BrokerClient(vertx, url, most);
  }

  /** Sends one that is to be answered with 204 at its deadline. */
  void send(String queue, Duration patience) {
    String path =
        BrokerClient.popPath(queue)
            + "?consumerGroup=idle&wait=true&timeout="
            + patience.toMillis();
    client
        .request(HttpMethod.GET, path)
        .compose(
            request -> {
              // From here on it is the broker's: the line of those who connect is ours.
              long asked = System.nanoTime();
              return request
                  .send()
                  .compose(BrokerClient::reply)
                  .onSuccess(reply -> count(reply, asked + patience.toNanos()));
            })
        .onFailure(failure -> wrong.incrementAndGet())
        .onComplete(done -> answered.incrementAndGet());
  }

  private void count(Reply reply, long deadline) {
    Duration behind = Duration.ofNanos(System.nanoTime() - deadline);
    if (reply.status() != 204) {
      wrong.incrementAndGet();
    } else if (behind.isNegative()) {
      early.incrementAndGet();
    } else if (behind.compareTo(TOLERANCE) > 0) {
      late.incrementAndGet();
    }
    slowest.accumulateAndGet(behind.toMillis(), Math::max);
  }

  int answered() {
    return answered.get();
  }

  /** Answers other than 204, or none. */
  int wrong() {
    return wrong.get();
  }

  int early() {
    return early.get();
  }

  /** More than two seconds behind their deadline. */
  int late() {
    return late.get();
  }

  /** Milliseconds behind its deadline of the last of them. */
  long slowest() {
    return slowest.get();
  }

  @Override
  public void close() {
    Blocking.get(client.close());
    Blocking.get(vertx.close());
  }
}
