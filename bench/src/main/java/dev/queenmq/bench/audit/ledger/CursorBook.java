package dev.queenmq.bench.audit.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Everything that one group got from one partition. For one event loop.
 *
 * <p>The clock by which leases are granted may be unknown here, so only what holds for every
 * possible moment of a grant is called a violation.
 */
public final class CursorBook {
  private static final int RECENT = 32;

  /** A call without lease id was on its way; it may have ended any consumer's lease. */
  private record Loose(long sent, long answered) {}

  private final int group;
  private final Violations violations;
  private final List<HeldBatch> batches = new ArrayList<>();
  private final Deque<Loose> loose = new ArrayDeque<>();

  CursorBook(int group, Violations violations) {
    this.group = group;
    this.violations = violations;
  }

  void delivered(HeldBatch batch) {
    for (AuditedMessage message : batch.messages()) {
      AuditedMessage.GroupState state = message.forGroup(group);
      HeldBatch done = state.doneUnder;
      if ((done != null && batch.surelyAfter(done)) || state.looselyDone < batch.sent()) {
        violations.add(
            Violation.DELIVERED_AFTER_ACK, message + " done under " + done + ", again in " + batch);
      }
      state.last = batch;
    }
    for (HeldBatch other : batches.subList(Math.max(0, batches.size() - RECENT), batches.size())) {
      if (other.surelyOverlaps(batch)
          && !looseBetween(Math.min(other.sent(), batch.sent()), batch.received())) {
        violations.add(Violation.OVERLAPPING_LEASE, other + " and " + batch);
      }
    }
    batches.add(batch);
  }

  /** The broker took an ack of this batch, sent at that moment: the message is done. */
  public void done(AuditedMessage message, HeldBatch under, long sent) {
    AuditedMessage.GroupState state = message.forGroup(group);
    HeldBatch last = state.last;
    if (last != null
        && last != under
        && (last.isGrantKnown() || last.received() > sent)
        && last.surelyAfter(under)) {
      violations.add(
          Violation.DELIVERED_AFTER_ACK, message + " done under " + under + ", then in " + last);
    }
    state.done(under, sent);
  }

  /** A call without lease id is about to leave. */
  public void looseSent(long sent) {
    remember(new Loose(sent, Long.MAX_VALUE));
  }

  /** It was answered: these are done, even if another consumer holds them. */
  public void looselyDone(List<AuditedMessage> messages, long sent) {
    long now = System.nanoTime();
    loose.removeIf(call -> call.sent == sent);
    remember(new Loose(sent, now));
    for (AuditedMessage message : messages) {
      message.forGroup(group).looselyDone = Math.min(message.forGroup(group).looselyDone, now);
      message.forGroup(group).perhapsDone(sent);
    }
  }

  private void remember(Loose call) {
    loose.addLast(call);
    if (loose.size() > RECENT) {
      loose.removeFirst();
    }
  }

  /** Whether a call without lease id can have happened between these moments. */
  public boolean looseBetween(long from, long to) {
    return loose.stream().anyMatch(call -> call.sent < to && call.answered > from);
  }

  /**
   * Holds all deliveries against the true order of the partition: whatever stands before a message
   * and did not come with it must have been done, or nearly, when the message came. First
   * deliveries in order follow from that, and so does that nothing was passed over.
   */
  void checkOrder(List<AuditedMessage> stored) {
    long[] allBefore = new long[stored.size() + 1];
    allBefore[0] = Long.MIN_VALUE;
    for (int i = 0; i < stored.size(); i++) {
      allBefore[i + 1] = Math.max(allBefore[i], stored.get(i).forGroup(group).doneSent);
    }
    for (HeldBatch batch : batches) {
      int[] positions = batch.messages().stream().mapToInt(message -> message.position).toArray();
      if (batch.messages().stream().allMatch(message -> message.position >= 0)) {
        check(batch, positions, stored, allBefore);
      }
    }
  }

  private void check(
      HeldBatch batch, int[] positions, List<AuditedMessage> stored, long[] allBefore) {
    if (allBefore[positions[0]] > batch.received()) {
      inversion(batch, "begins at " + positions[0] + ", but something before was not done");
    }
    for (int i = 1; i < positions.length; i++) {
      if (positions[i] <= positions[i - 1]) {
        inversion(batch, positions[i] + " comes behind " + positions[i - 1]);
      }
      for (int between = positions[i - 1] + 1; between < positions[i]; between++) {
        if (stored.get(between).forGroup(group).doneSent > batch.received()) {
          inversion(batch, "passes over " + between + ", which was not done");
        }
      }
    }
  }

  private void inversion(HeldBatch batch, String what) {
    violations.add(Violation.ORDER_INVERSION, batch + " " + what);
  }
}
