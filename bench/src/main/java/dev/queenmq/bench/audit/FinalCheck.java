package dev.queenmq.bench.audit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Holds what was promised against what was delivered, when all is over. For one event loop. */
final class FinalCheck {
  private final Ledger ledger;
  private final int groups;
  private final boolean copying;
  private final List<List<AuditedMessage>> partitions;

  FinalCheck(Ledger ledger, AuditSettings settings, List<List<AuditedMessage>> partitions) {
    this.ledger = ledger;
    groups = settings.allGroups();
    copying = settings.manners().copying();
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
    partitions.forEach(stored -> ledger.add(Count.STORED, stored.size()));
  }

  private void checkMessage(AuditedMessage message) {
    if (copying) {
      checkCopy(message, message.fate(groups - 1));
    }
    if (message.acknowledged && message.position < 0) {
      violation(Violation.LOST_PUSH, message.toString());
    }
    for (int group = 0; group < groups; group++) {
      AuditedMessage.Fate fate = message.fate(group);
      if (fate.promisedDead && !fate.buried) {
        violation(Violation.DEAD_WITHOUT_PAYLOAD, message + " is missing for group " + group);
      }
      if (message.acknowledged && fate.last == null && !fate.buried) {
        violation(Violation.LOST_DELIVERY, message + " to group " + group);
      } else if (message.acknowledged && !fate.isSettled()) {
        violation(
            Violation.NOT_DRAINED,
            message + " did not come again to group " + group + ": " + fate.story());
      }
    }
  }

  /** The last group acks and copies in one transaction: there is the one exactly with the other. */
  private void checkCopy(AuditedMessage message, AuditedMessage.Fate fate) {
    boolean done = fate.isDone() || fate.perhapsDone;
    if (message.copied && !done) {
      violation(Violation.HALF_TRANSACTION, message + " is copied, but not done");
    } else if (!message.copied && !fate.buried && done) {
      violation(Violation.HALF_TRANSACTION, message + " is done, but not copied");
    }
  }

  /**
   * What a producer gave up on may come at any time. So may what one broker keeps in its spool
   * while another one stores what was pushed later.
   */
  private void checkProducers(List<AuditedMessage> stored) {
    Map<Integer, AuditedMessage> last = new HashMap<>();
    for (AuditedMessage message : stored) {
      if (!message.acknowledged) {
        continue;
      }
      AuditedMessage before = last.put(message.producer, message);
      boolean elsewhere =
          before != null && !message.buffer.isEmpty() && !message.buffer.equals(before.buffer);
      if (before != null && before.sequence > message.sequence && !elsewhere) {
        violation(Violation.PRODUCER_ORDER, message + " comes behind " + before);
      }
    }
  }

  private void violation(Violation violation, String detail) {
    ledger.violations().add(violation, detail);
  }
}
