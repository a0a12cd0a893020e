package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.Ledger;
import dev.queenmq.bench.audit.ledger.Violation;
import dev.queenmq.bench.broker.PushResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The messages of one push of one producer: the next ones of its sequences, and now and then one
 * that it has pushed before or that repeats within the call.
 */
final class PushPlan {
  private final Ledger ledger;
  private final List<AuditedMessage> items = new ArrayList<>();

  /** Plans a number of messages, for one partition or for any. */
  PushPlan(
      AuditContext audit,
      int producer,
      Map<Integer, Integer> next,
      RandomGenerator random,
      int count,
      boolean one) {
    ledger = audit.ledger();
    int partitions = audit.settings().partitions();
    int only = random.nextInt(partitions);
    Map<Integer, Integer> fresh = new HashMap<>();
    for (int i = 0; i < count; i++) {
      int partition = one ? only : random.nextInt(partitions);
      int sequence = next.getOrDefault(partition, 0) + fresh.getOrDefault(partition, 0);
      int earlier = sequence > 0 && random.nextInt(25) == 0 ? random.nextInt(sequence) : sequence;
      AuditedMessage message = ledger.pushing(producer, partition, earlier);
      if (earlier < sequence && (!message.isAcknowledged() || message.isBuffered())) {
        // It may not be stored yet, and would then come behind its successors.
        message = ledger.pushing(producer, partition, sequence);
      }
      if (message.sequence() == sequence) {
        fresh.merge(partition, 1, Integer::sum);
      }
      items.add(message);
    }
    fresh.forEach((partition, more) -> next.merge(partition, more, Integer::sum));
  }

  List<AuditedMessage> messages() {
    return items;
  }

  /**
   * Checks the answer and writes it down.
   *
   * @param certain no earlier attempt can have stored anything
   * @param broker the one that answered
   * @return whether everything is stored now
   */
  boolean settle(List<PushResult> results, boolean certain, String broker) {
    if (results.size() != items.size()) {
      throw new IllegalStateException(items.size() + " pushed, but answered " + results);
    }
    boolean stored = true;
    for (int i = 0; i < items.size(); i++) {
      AuditedMessage message = items.get(i);
      PushResult result = results.get(i);
      if (result.isQueued()) {
        if (message.isAcknowledged() && !message.isBuffered()) {
          report(Violation.ADMITTED_DUPLICATE, message, result);
        }
        acknowledged(message, result, Violation.ADMITTED_DUPLICATE);
      } else if (result.isBuffered()) {
        ledger.add(Count.BUFFERED);
        message.buffer(broker);
        acknowledged(message);
      } else if (result.isDuplicate()) {
        ledger.add(Count.DUPLICATES);
        if (certain && !message.isAcknowledged()) {
          report(Violation.FALSE_DUPLICATE, message, result);
        }
        acknowledged(message, result, Violation.WRONG_FIRST_ID);
      } else {
        stored = false;
      }
    }
    return stored;
  }

  private void acknowledged(AuditedMessage message, PushResult result, Violation otherwise) {
    ledger.known(message, result.messageId(), otherwise, "pushed");
    acknowledged(message);
  }

  private void acknowledged(AuditedMessage message) {
    if (!message.isAcknowledged()) {
      message.acknowledge();
      ledger.add(Count.PUSHED);
    }
  }

  /** How many of them are in doubt: it is unknown whether they are stored. */
  long unknown() {
    return items.stream().filter(message -> !message.isAcknowledged()).count();
  }

  private void report(Violation violation, AuditedMessage message, PushResult result) {
    ledger.violations().add(violation, message + " answered " + result);
  }
}
