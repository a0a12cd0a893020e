package dev.queenmq.bench.audit.ledger;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Holds what was promised against what was delivered, when all is over. For one event loop. */
public final class FinalCheck {
  private final Ledger ledger;
  private final int groups;
  private final boolean copying;
  private final List<List<AuditedMessage>> partitions;

  /**
   * A check of everything.
   *
   * @param groups how many there are
   * @param copying whether the last group copies what it acks
   * @param partitions what is stored in each
   */
  public FinalCheck(
      Ledger ledger, int groups, boolean copying, List<List<AuditedMessage>> partitions) {
    this.ledger = ledger;
    this.groups = groups;
    this.copying = copying;
    this.partitions = partitions;
  }

  public void run() {
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
      checkCopy(message, message.forGroup(groups - 1));
    }
    if (message.acknowledged && message.position < 0) {
      violation(Violation.LOST_PUSH, message.toString());
    }
    for (int group = 0; group < groups; group++) {
      AuditedMessage.GroupState state = message.forGroup(group);
      if (state.promisedDead && !state.deadLettered) {
        violation(Violation.DEAD_WITHOUT_PAYLOAD, message + " is missing for group " + group);
      }
      if (message.acknowledged && state.last == null && !state.deadLettered) {
        violation(Violation.LOST_DELIVERY, message + " to group " + group);
      } else if (message.acknowledged && !state.isSettled()) {
        violation(
            Violation.NOT_DRAINED,
            message + " did not come again to group " + group + ": " + state.history());
      }
    }
  }

  /** The last group acks and copies in one transaction: there is the one exactly with the other. */
  private void checkCopy(AuditedMessage message, AuditedMessage.GroupState state) {
    boolean done = state.isDone() || state.perhapsDone;
    if (message.copied && !done) {
      violation(Violation.HALF_TRANSACTION, message + " is copied, but not done");
    } else if (!message.copied && !state.deadLettered && done) {
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
