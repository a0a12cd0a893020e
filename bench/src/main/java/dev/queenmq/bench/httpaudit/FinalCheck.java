package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.audit.Violation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Holds what was promised against what was delivered, when all is over. For one event loop. */
final class FinalCheck {
  private final HttpLedger ledger;
  private final int groups;
  private final boolean copying;
  private final List<List<AuditedMessage>> partitions;

  FinalCheck(HttpLedger ledger, HttpAuditSettings settings, List<List<AuditedMessage>> partitions) {
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
  }

  private void checkMessage(AuditedMessage message) {
    if (copying) {
      checkCopy(message, message.fate(groups - 1));
    }
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
      } else if (!fate.isDone() && !fate.isPerhapsDone() && !fate.isBuried()) {
        ledger
            .violations()
            .add(
                Violation.NOT_DRAINED,
                message + " did not come again to group " + group + ": " + fate.story());
      }
    }
  }

  /** The last group acks and copies in one transaction: there is the one exactly with the other. */
  private void checkCopy(AuditedMessage message, Fate fate) {
    if (message.isCopied() && !fate.isDone() && !fate.isPerhapsDone()) {
      ledger.violations().add(Violation.HALF_TRANSACTION, message + " is copied, but not done");
    } else if (!message.isCopied() && !fate.isBuried() && (fate.isDone() || fate.isPerhapsDone())) {
      ledger.violations().add(Violation.HALF_TRANSACTION, message + " is done, but not copied");
    }
  }

  /**
   * What a producer gave up on may come at any time. So may what one broker keeps in its spool
   * while another one stores what was pushed later.
   */
  private void checkProducers(List<AuditedMessage> stored) {
    Map<Integer, AuditedMessage> last = new HashMap<>();
    for (AuditedMessage message : stored) {
      if (!message.isAcknowledged()) {
        continue;
      }
      AuditedMessage before = last.put(message.producer(), message);
      boolean elsewhere =
          before != null
              && !message.buffer().isEmpty()
              && !message.buffer().equals(before.buffer());
      if (before != null && before.sequence() > message.sequence() && !elsewhere) {
        ledger.violations().add(Violation.PRODUCER_ORDER, message + " comes behind " + before);
      }
    }
  }
}
