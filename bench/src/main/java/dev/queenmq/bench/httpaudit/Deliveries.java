package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.broker.PopMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes down what one group got. For one event loop. */
final class Deliveries {
  private final HttpLedger ledger;
  private final int group;

  Deliveries(Scene scene, int group) {
    ledger = scene.ledger();
    this.group = group;
  }

  /** What a pop brought that was sent at that moment, by partition. */
  List<HeldBatch> received(List<PopMessage> messages, long sent) {
    long now = System.nanoTime();
    ledger.add(messages.isEmpty() ? Count.EMPTY_POPS : Count.DELIVERED, weight(messages));
    Map<Integer, List<HeldBatch.Held>> byPartition = new LinkedHashMap<>();
    for (PopMessage popped : messages) {
      ledger
          .find(popped)
          .ifPresent(
              message ->
                  byPartition
                      .computeIfAbsent(message.partition(), key -> new ArrayList<>())
                      .add(new HeldBatch.Held(message, popped)));
    }
    List<HeldBatch> batches = new ArrayList<>();
    byPartition.forEach(
        (partition, held) -> {
          String lease = held.get(0).popped().leaseId();
          HeldBatch batch = new HeldBatch(lease, partition, group, held, sent, now);
          ledger.cursor(partition, group).delivered(batch);
          batches.add(batch);
        });
    return batches;
  }

  private static int weight(List<PopMessage> messages) {
    return messages.isEmpty() ? 1 : messages.size();
  }
}
