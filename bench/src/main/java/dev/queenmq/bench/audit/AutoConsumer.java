package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.Violation;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.StoredMessage;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The only consumer of the group that takes messages with autoAck: each at most once, in order. */
final class AutoConsumer extends Actor {
  private static final Duration IDLE = Duration.ofMillis(15);

  private final StoreClient client;
  private final Map<String, BitSet> taken = new HashMap<>();

  AutoConsumer(AuditContext audit, StoreFront front, Random random) {
    super(audit, front, AuditContext.Phase.DRAIN);
    client = new StoreClient(audit, front, random);
  }

  @Override
  Future<Void> step() {
    return client
        .pop(StoreFront.AUTO_GROUP, true)
        .compose(
            batches -> {
              batches.forEach(this::note);
              return pause(IDLE);
            });
  }

  private void note(PartitionBatch batch) {
    BitSet offsets = taken.computeIfAbsent(batch.partition(), key -> new BitSet());
    List<StoredMessage> messages = batch.messages();
    ledger().add(Count.DELIVERED, messages.size());
    for (StoredMessage message : messages) {
      int offset = Math.toIntExact(message.offset());
      if (offset < offsets.length()) {
        violation(
            offsets.get(offset) ? Violation.DELIVERED_AFTER_ACK : Violation.ORDER_INVERSION,
            batch.partition() + ": autoAck, offset " + offset);
      }
      offsets.set(offset);
    }
  }

  /** What was lost with the answer to a pop is gone: that is what autoAck means. */
  void conclude(long stored) {
    long lost = stored - taken.values().stream().mapToLong(BitSet::cardinality).sum();
    ledger().add(Count.AUTO_LOST, lost);
    if (lost > 0 && ledger().of(Count.CALLS_FAILED) == 0) {
      violation(Violation.LOST_DELIVERY, "autoAck: " + lost);
    }
  }
}
