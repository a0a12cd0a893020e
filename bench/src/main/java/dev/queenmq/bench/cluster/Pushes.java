package dev.queenmq.bench.cluster;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import io.vertx.core.Future;
import java.util.List;

/**
 * Pushes one message at a time at a fixed rate, to all queues and all brokers in turn. The payload
 * says when. Counts live on the loop.
 */
final class Pushes implements AutoCloseable {
  private static final int CONNECTIONS = 8;
  private static final double NANOS = 1e9;

  private final Loop loop;
  private final List<BrokerClient> clients;
  private final int rate;
  private final List<String> queues;
  private final String run = Long.toString(System.nanoTime(), Character.MAX_RADIX);
  private long start;
  private long sent;
  private long pushed;
  private long failed;
  private long timer;

  Pushes(Loop loop, Cluster cluster, int rate, List<String> queues) {
    this.loop = loop;
    this.rate = rate;
    this.queues = queues;
    clients =
        cluster.urls().stream()
            .map(url -> new BrokerClient(loop.vertx(), url, CONNECTIONS))
            .toList();
  }

  void start() {
    loop.on(
        () -> {
          start = System.nanoTime();
          timer = loop.vertx().setPeriodic(1, fired -> tick());
          return true;
        });
  }

  private void tick() {
    double due = (System.nanoTime() - start) / NANOS * rate;
    while (sent < due) {
      push();
      sent++;
    }
  }

  private void push() {
    String queue = queues.get((int) (sent % queues.size()));
    // Not in step with the queues, so that each queue gets messages from all brokers.
    BrokerClient client = clients.get((int) (sent / queues.size() + sent) % clients.size());
    String payload = "{\"%s\":%d}".formatted(PopMessage.NUMBER, System.nanoTime());
    client
        .post(
            BrokerClient.PUSH,
            Bodies.push().item(queue, "p-" + sent % 4, run + "-" + sent, payload).finish())
        .onComplete(
            answer -> {
              if (answer.succeeded() && answer.result().isSuccess()) {
                pushed++;
              } else {
                failed++;
              }
            });
  }

  long pushed() {
    return pushed;
  }

  long failed() {
    return failed;
  }

  /** Sends no more; what was sent is still on its way until {@link #close}. */
  void stop() {
    loop.on(() -> loop.vertx().cancelTimer(timer));
  }

  @Override
  public void close() {
    stop();
    Blocking.get(Future.join(clients.stream().map(BrokerClient::close).toList()));
  }
}
