package dev.queenmq.bench.http;

import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.PopMessage;
import io.vertx.core.buffer.Buffer;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;

/** Makes pushes with some bytes of JSON and a random uuid per message. For one event loop. */
final class PushMaker {
  /** What most measurements send. */
  static final int PAYLOAD_BYTES = 110;

  private static final int DIGITS = 36;
  private static final int NOISE_LENGTH = 1 << 14;
  private static final String NOISE = noise();

  private final String queue;
  private final String[] partitions;
  private final boolean spread;
  private final SplittableRandom random;
  private final int bytes;
  private final StringBuilder payload = new StringBuilder(PAYLOAD_BYTES);

  PushMaker(Plan plan, String queue, int partitions, long seed) {
    this.queue = queue;
    this.bytes = plan.payload();
    this.spread = plan.spread();
    this.partitions =
        IntStream.range(0, partitions).mapToObj(i -> "customer-" + i).toArray(String[]::new);
    this.random = new SplittableRandom(seed);
  }

  private static String noise() {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder(NOISE_LENGTH);
    while (text.length() < NOISE_LENGTH) {
      text.append(Character.forDigit(random.nextInt(DIGITS), DIGITS));
    }
    return text.toString();
  }

  /** A push of so many messages that carry this number. */
  Buffer batch(int size, long number) {
    Bodies body = Bodies.push();
    String partition = anyPartition();
    for (int i = 0; i < size; i++) {
      body.item(
          queue,
          spread ? anyPartition() : partition,
          new UUID(random.nextLong(), random.nextLong()).toString(),
          payload(number));
    }
    return body.finish();
  }

  private String anyPartition() {
    return partitions[random.nextInt(partitions.length)];
  }

  private StringBuilder payload(long number) {
    payload.setLength(0);
    payload.append("{\"").append(PopMessage.NUMBER).append("\":").append(number);
    payload.append(",\"status\":\"created\",\"note\":\"");
    int fill = bytes - 2 - payload.length();
    int from = random.nextInt(NOISE_LENGTH - bytes);
    return payload.append(NOISE, from, from + fill).append("\"}");
  }
}
