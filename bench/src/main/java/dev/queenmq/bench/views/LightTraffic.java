package dev.queenmq.bench.views;

import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.http.ClosedLoop;
import dev.queenmq.bench.http.Meter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Pushes ten messages at a time to partitions by chance, and pops and acks some, as long as it
 * runs.
 */
final class LightTraffic implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int MESSAGES = 10;
  private static final String GROUP = Filling.BEHIND[0];

  private final BrokerClient client;
  private final int partitions;
  private final int queues;
  private final Meter rounds = new Meter();
  private final ClosedLoop worker = new ClosedLoop(rounds);

  LightTraffic(EventLoop loop, BrokerClient client, int partitions, int queues) {
    this.client = client;
    this.partitions = partitions;
    this.queues = queues;
    worker.start(loop.context(), () -> once().compose(done -> loop.pause(PAUSE).map(1)));
  }

  long rounds() {
    return rounds.messages();
  }

  private Future<Integer> once() {
    Bodies push = Bodies.push();
    for (int i = 0; i < MESSAGES; i++) {
      int partition = ThreadLocalRandom.current().nextInt(partitions);
      push.item(
          Filling.queue(partition % queues),
          "p" + partition,
          "light-" + rounds() + "-" + i,
          PopMessage.payload(1));
    }
    String queue = Filling.queue(ThreadLocalRandom.current().nextInt(queues));
    String query = "batch=%1$d&partitions=%1$d&consumerGroup=%2$s".formatted(MESSAGES, GROUP);
    return client
        .push(push)
        .compose(pushed -> client.pop(queue, query))
        .compose(messages -> client.ack(GROUP, messages));
  }

  @Override
  public void close() {
    worker.close();
  }
}
