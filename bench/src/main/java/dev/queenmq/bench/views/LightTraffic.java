package dev.queenmq.bench.views;

import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Pushes ten messages at a time to partitions by chance, and pops and acks some, as long as it
 * runs.
 */
final class LightTraffic implements AutoCloseable {
  private static final long PAUSE_MILLIS = 50;
  private static final int MESSAGES = 10;

  private final Vertx vertx;
  private final BrokerClient client;
  private final int partitions;
  private final int queues;
  private final AtomicLong rounds = new AtomicLong();
  private volatile boolean stopped;

  LightTraffic(Vertx vertx, BrokerClient client, int partitions, int queues) {
    this.vertx = vertx;
    this.client = client;
    this.partitions = partitions;
    this.queues = queues;
    next();
  }

  long rounds() {
    return rounds.get();
  }

  @Override
  public void close() {
    stopped = true;
  }

  private void next() {
    if (!stopped) {
      push()
          .compose(pushed -> popAndAck())
          .onComplete(
              done -> {
                rounds.incrementAndGet();
                vertx.setTimer(PAUSE_MILLIS, over -> next());
              });
    }
  }

  private Future<Void> push() {
    Bodies push = Bodies.push();
    for (int i = 0; i < MESSAGES; i++) {
      int partition = ThreadLocalRandom.current().nextInt(partitions);
      push.item(
          Filling.queue(partition % queues),
          "p" + partition,
          "light-" + rounds.get() + "-" + i,
          "{\"n\":1}");
    }
    return client.post(BrokerClient.PUSH, push.finish()).mapEmpty();
  }

  private Future<Void> popAndAck() {
    String queue = Filling.queue(ThreadLocalRandom.current().nextInt(queues));
    String group = Filling.BEHIND[0];
    return client
        .get(
            BrokerClient.popPath(queue)
                + "?batch="
                + MESSAGES
                + "&partitions="
                + MESSAGES
                + "&consumerGroup="
                + group)
        .compose(
            reply -> {
              List<PopMessage> messages = Answers.pop(reply);
              if (messages.isEmpty()) {
                return Future.succeededFuture();
              }
              Bodies acks = Bodies.acks(group);
              messages.forEach(message -> acks.ack(message, "completed"));
              return client.post(BrokerClient.ACK_BATCH, acks.finish()).mapEmpty();
            });
  }
}
