package dev.queenmq.bench.store;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;

/** Makes messages with 110 bytes of JSON and a random uuid as transaction id. */
final class BatchMaker {
  static final int PAYLOAD_BYTES = 110;
  private static final int DIGITS = 36;

  private final String queue;
  private final SplittableRandom random;
  private final MessageIds ids = new MessageIds(InstantSource.system());

  BatchMaker(String queue, long seed) {
    this.queue = queue;
    this.random = new SplittableRandom(seed);
  }

  /** This many messages to each of the partitions 0, 1, ..., taking turns. */
  Batch dense(int partitions, int each) {
    return over(IntStream.range(0, partitions).toArray(), each);
  }

  /** One message to each of this many partitions, drawn from many. */
  Batch sparse(int partitions, int outOf) {
    return over(random.ints(0, outOf).distinct().limit(partitions).toArray(), 1);
  }

  /** This many messages to each of these partitions, taking turns. */
  Batch over(int[] partitions, int each) {
    List<Message> messages = new ArrayList<>(partitions.length * each);
    for (int i = 0; i < each; i++) {
      for (int partition : partitions) {
        messages.add(message(partition));
      }
    }
    return new Batch(messages);
  }

  private Message message(int partition) {
    String id = new UUID(random.nextLong(), random.nextLong()).toString();
    return Message.of(queue, partitionName(partition), ids.next(), id, payload(partition));
  }

  static String partitionName(int partition) {
    return "customer-" + partition;
  }

  private String payload(int partition) {
    String head =
        String.format(
            Locale.ROOT,
            "{\"customer\":%d,\"order\":%d,\"amount\":%d.%02d,\"status\":\"created\",\"note\":\"",
            partition,
            random.nextInt(1_000_000_000),
            random.nextInt(10_000),
            random.nextInt(100));
    StringBuilder text = new StringBuilder(PAYLOAD_BYTES).append(head);
    while (text.length() < PAYLOAD_BYTES - 2) {
      text.append(Character.forDigit(random.nextInt(DIGITS), DIGITS));
    }
    return text.append("\"}").toString();
  }
}
