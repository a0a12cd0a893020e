package dev.queenmq.bench.audit;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.PushOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The messages of one push call of one producer: the next ones of its sequences, and now and then
 * one that it has pushed before or that repeats within the call.
 */
final class PushPlan {
  private static final int LARGE = 300;

  private record Item(int partition, int sequence) {}

  private final Ledger ledger;
  private final int producer;
  private final MessageIds ids;
  private final List<Item> items = new ArrayList<>();

  PushPlan(Ledger ledger, int producer, MessageIds ids, RandomGenerator random) {
    this.ledger = ledger;
    this.producer = producer;
    this.ids = ids;
    Map<Integer, Integer> next = new HashMap<>();
    int count = random.nextInt(60) == 0 ? LARGE : 1 + random.nextInt(12);
    int only = random.nextInt(4) == 0 || count == LARGE ? anyPartition(random) : -1;
    for (int i = 0; i < count; i++) {
      int partition = only >= 0 ? only : anyPartition(random);
      int fresh = next.computeIfAbsent(partition, key -> ledger.pushes(producer, partition).next());
      if (fresh > 0 && random.nextInt(25) == 0) {
        items.add(new Item(partition, random.nextInt(fresh)));
      } else {
        items.add(new Item(partition, fresh));
        next.put(partition, fresh + 1);
      }
    }
  }

  private int anyPartition(RandomGenerator random) {
    return random.nextInt(ledger.partitionCount());
  }

  /** The messages with new message ids, as a broker makes them for every attempt. */
  List<Message> messages() {
    return items.stream().map(this::message).toList();
  }

  private Message message(Item item) {
    return Message.of(
        Names.QUEUE,
        Names.partition(item.partition()),
        ids.next(),
        Names.transactionId(producer, item.partition(), item.sequence()),
        "{\"producer\":%d,\"partition\":%d,\"sequence\":%d}"
            .formatted(producer, item.partition(), item.sequence()));
  }

  /**
   * Checks the answer and writes it down.
   *
   * @param certain no earlier attempt can have stored anything
   */
  void settle(List<PushOutcome> outcomes, boolean certain) {
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      PushLedger pushes = ledger.pushes(producer, item.partition());
      Optional<UUID> known = pushes.id(item.sequence());
      PushOutcome outcome = outcomes.get(i);
      if (outcome instanceof PushOutcome.Queued queued) {
        ledger.partitionIs(item.partition(), queued.partitionId());
        if (known.isPresent()) {
          report(Violation.ADMITTED_DUPLICATE, item, outcome, known);
        } else {
          pushes.queued(item.sequence(), queued.messageId(), queued.offset());
          ledger.tally().add(Tally.Count.PUSHED);
        }
      } else if (outcome instanceof PushOutcome.Duplicate duplicate) {
        ledger.tally().add(Tally.Count.DUPLICATES);
        if (known.isEmpty()) {
          if (certain) {
            report(Violation.FALSE_DUPLICATE, item, outcome, known);
          }
          pushes.found(item.sequence(), duplicate.firstMessageId());
          ledger.tally().add(Tally.Count.PUSHED);
        } else if (!known.get().equals(duplicate.firstMessageId())) {
          report(Violation.WRONG_FIRST_ID, item, outcome, known);
        }
      } else {
        report(Violation.UNEXPECTED, item, outcome, known);
      }
    }
  }

  private void report(Violation violation, Item item, PushOutcome outcome, Optional<UUID> known) {
    ledger
        .violations()
        .add(violation, "producer %d, %s, %s, known %s".formatted(producer, item, outcome, known));
  }
}
