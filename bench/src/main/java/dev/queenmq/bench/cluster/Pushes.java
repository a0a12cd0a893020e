package dev.queenmq.bench.cluster;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.http.OpenLoop;
import java.util.List;

/**
 * Pushes one message at a time at a fixed rate, to all queues and all brokers in turn. The payload
 * says when. Counts live on the loop.
 */
final class Pushes implements AutoCloseable {
  private static final int CONNECTIONS = 8;

  private final List<BrokerClient> clients;
  private final OpenLoop pushing;
  private final int rate;
  private final List<String> queues;
  private final String run = Long.toString(System.nanoTime(), Character.MAX_RADIX);
  private long sent;
  private long pushed;
  private long failed;

  Pushes(EventLoop loop, Cluster cluster, int rate, List<String> queues) {
    pushing = new OpenLoop(loop.context(), rate, due -> push());
    this.rate = rate;
    this.queues = queues;
    clients = cluster.clients(loop, CONNECTIONS);
  }

  void start() {
    if (rate > 0) {
      pushing.start();
    }
  }

  private void push() {
    String queue = queues.get((int) (sent % queues.size()));
    // Not in step with the queues, so that each queue gets messages from all brokers.
    BrokerClient client = clients.get((int) (sent / queues.size() + sent) % clients.size());
    String payload = PopMessage.payload(System.nanoTime());
    sent++;
    client
        .push(Bodies.push().item(queue, "p-" + sent % 4, run + "-" + sent, payload))
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
    if (rate > 0) {
      pushing.close();
    }
  }

  @Override
  public void close() {
    stop();
    clients.forEach(client -> Blocking.get(client.close()));
  }
}
