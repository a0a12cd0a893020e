package dev.queenmq.bench.http;

import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/**
 * Sends pushes with some bytes of JSON and a random uuid per message, and sees whether they were
 * taken. For one event loop.
 */
final class PushMaker implements MessageProducer {
  /** What most measurements send. */
  static final int PAYLOAD_BYTES = 110;

  private static final String QUEUED = "\"queued\"";

  private final BrokerClient client;
  private final String queue;
  private final String[] partitions;
  private final boolean spread;
  private final MessageMaker messages;

  /** One that goes through the partitions in turn, or not. */
  PushMaker(
      BrokerClient client, Plan plan, String queue, int partitions, boolean inTurn, long seed) {
    this.client = client;
    this.queue = queue;
    this.spread = plan.spread();
    this.partitions =
        IntStream.range(0, partitions).mapToObj(i -> "customer-" + i).toArray(String[]::new);
    // Ids that another queue has not had: a broker may compare them across queues.
    this.messages =
        new MessageMaker(
            plan.payload(), partitions, inTurn, seed + queue.hashCode() * (1L << Integer.SIZE));
  }

  /** All of them must be new. */
  @Override
  public Future<Integer> push(int batch, long number) {
    Bodies body = Bodies.push();
    String partition = nextPartition();
    for (int i = 0; i < batch; i++) {
      body.item(
          queue,
          spread ? nextPartition() : partition,
          messages.id().toString(),
          messages.payload(number));
    }
    return client
        .push(body)
        .map(
            reply -> {
              if (queued(reply.orThrow()) != batch) {
                throw new IllegalStateException("not all were queued: " + reply);
              }
              return batch;
            });
  }

  private String nextPartition() {
    return partitions[messages.partition()];
  }

  private static int queued(Reply reply) {
    String text = reply.body().toString(StandardCharsets.ISO_8859_1);
    int count = 0;
    int at = text.indexOf(QUEUED);
    while (at >= 0) {
      count++;
      at = text.indexOf(QUEUED, at + QUEUED.length());
    }
    return count;
  }
}
