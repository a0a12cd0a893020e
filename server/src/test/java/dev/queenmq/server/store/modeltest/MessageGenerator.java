package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.Message;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Makes messages, many of them with transaction ids that were used before. */
final class MessageGenerator {
  static final long MESSAGES = 0x6e55a6eL << 32;

  private final Dice dice;
  private final SequenceProfile profile;
  private int made;

  MessageGenerator(Dice dice, SequenceProfile profile) {
    this.dice = dice;
    this.profile = profile;
  }

  Step push(int broker) {
    return push(broker, dice.percent(40));
  }

  /** Messages with ids that were not used before, or with any. */
  Step push(int broker, boolean fresh) {
    int count = dice.percent(5) ? 15 : dice.between(1, 5);
    return new Step.Push(
        broker,
        Stream.generate(() -> dice.percent(1) ? bad() : message(fresh)).limit(count).toList());
  }

  Message message(boolean fresh) {
    made++;
    String transactionId = fresh ? "f" + made : "t" + dice.below(profile.ids());
    return message(dice.oneOf(profile.partitions()), transactionId, "{\"n\":" + made + "}");
  }

  /** Messages for one partition, mostly with ids that were not used before. */
  List<Message> of(ModelPartition partition, int count) {
    return Stream.generate(
            () -> {
              Message any = message(dice.percent(90));
              return new Message(
                  partition.queue,
                  partition.name,
                  any.id(),
                  any.transactionId(),
                  any.payload(),
                  any.traceId(),
                  any.producerSub(),
                  false);
            })
        .limit(count)
        .toList();
  }

  private Message bad() {
    made++;
    return switch (dice.below(4)) {
      case 0 -> message("", "bad", "{}");
      case 1 -> message("p".repeat(256), "bad", "{}");
      case 2 -> message("p0", "b\0d", "{}");
      default -> message("p0", "bad", "\"\0\"");
    };
  }

  private Message message(String partition, String transactionId, String payload) {
    return new Message(
        dice.oneOf(profile.queues()),
        partition,
        new UUID(MESSAGES, made),
        transactionId,
        dice.percent(10) ? payload + " ".repeat(dice.oneOf(100, 3000)) : payload,
        dice.percent(10) ? new UUID(0x7ace, made) : null,
        dice.percent(10) ? "producer" + made : null,
        false);
  }

  List<Message> messages(int count) {
    return Stream.generate(() -> message(dice.percent(80))).limit(count).toList();
  }
}
