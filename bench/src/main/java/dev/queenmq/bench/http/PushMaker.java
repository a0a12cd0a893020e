package dev.queenmq.bench.http;

import dev.queenmq.bench.broker.Bodies;
import io.vertx.core.buffer.Buffer;
import java.util.stream.IntStream;

/** Makes pushes with some bytes of JSON and a random uuid per message. For one event loop. */
final class PushMaker {
  /** What most measurements send. */
  static final int PAYLOAD_BYTES = 110;

  private final String queue;
  private final String[] partitions;
  private final boolean spread;
  private final MessageMaker messages;

  PushMaker(Plan plan, String queue, int partitions, long seed) {
    this(plan, queue, partitions, false, seed);
  }

  /** One that goes through the partitions in turn, or not. */
  PushMaker(Plan plan, String queue, int partitions, boolean inTurn, long seed) {
    this.queue = queue;
    this.spread = plan.spread();
    this.partitions =
        IntStream.range(0, partitions).mapToObj(i -> "customer-" + i).toArray(String[]::new);
    // Ids that another queue has not had: a broker may compare them across queues.
    this.messages =
        new MessageMaker(
            plan.payload(), partitions, inTurn, seed + queue.hashCode() * (1L << Integer.SIZE));
  }

  /** A push of so many messages that carry this number. */
  Buffer batch(int size, long number) {
    Bodies body = Bodies.push();
    String partition = nextPartition();
    for (int i = 0; i < size; i++) {
      body.item(
          queue,
          spread ? nextPartition() : partition,
          messages.id().toString(),
          messages.payload(number));
    }
    return body.finish();
  }

  private String nextPartition() {
    return partitions[messages.partition()];
  }
}
