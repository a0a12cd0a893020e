package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.audit.Violation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Holds what was promised against what was delivered, when all is over. For one event loop. */
final class FinalCheck {
  private final HttpLedger ledger;
  private final int groups;
  private final List<List<AuditedMessage>> partitions;

  FinalCheck(HttpLedger ledger, int groups, List<List<AuditedMessage>> partitions) {
    this.ledger = ledger;
    this.groups = groups;
    this.partitions = partitions;
  }

  void run() {
    ledger.messages().forEach(this::checkMessage);
    partitions.forEach(this::checkProducers);
    for (int partition = 0; partition < partitions.size(); partition++) {
      for (int group = 0; group < groups; group++) {
        ledger.cursor(partition, group).checkOrder(partitions.get(partition));
      }
    }
  }

  private void checkMessage(AuditedMessage message) {
    if (!message.isAcknowledged()) {
      return;
    }
    if (message.position() < 0) {
      ledger.violations().add(Violation.LOST_PUSH, message.toString());
    }
    for (int group = 0; group < groups; group++) {
      Fate fate = message.fate(group);
      if (!fate.wasDelivered()) {
        ledger.violations().add(Violation.LOST_DELIVERY, message + " to group " + group);
      } else if (!fate.isDone() && !fate.isPerhapsDone()) {
        ledger
            .violations()
            .add(Violation.NOT_DRAINED, message + " did not come again to group " + group);
      }
    }
  }

  private void checkProducers(List<AuditedMessage> stored) {
    Map<Integer, Integer> last = new HashMap<>();
    for (AuditedMessage message : stored) {
      Integer before = last.put(message.producer(), message.sequence());
      if (before != null && before > message.sequence()) {
        ledger.violations().add(Violation.PRODUCER_ORDER, message + " comes behind " + before);
      }
    }
  }
}
