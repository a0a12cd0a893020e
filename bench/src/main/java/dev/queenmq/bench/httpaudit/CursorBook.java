package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.audit.Violations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Everything that one group got from one partition. For one event loop.
 *
 * <p>The broker's clock is not known here, so only what holds for every possible moment of a grant
 * is called a violation. A delivery can reach us after a younger one only if its answer was under
 * way for longer than a lease lives; pops that took so long prove nothing and are left out.
 */
final class CursorBook {
  private static final int RECENT = 32;
  private static final Duration MARGIN = Duration.ofMillis(100);

  private final int group;
  private final Violations violations;
  private final long leaseNanos;
  private final List<HeldBatch> batches = new ArrayList<>();

  CursorBook(int group, Duration lease, Violations violations) {
    this.group = group;
    this.violations = violations;
    leaseNanos = lease.minus(MARGIN).toNanos();
  }

  void delivered(HeldBatch batch) {
    for (HeldBatch.Held held : batch.messages()) {
      Fate fate = held.message().fate(group);
      HeldBatch done = fate.doneUnder();
      if (done != null && isFresh(batch)) {
        violations.add(
            Violation.DELIVERED_AFTER_ACK,
            held.message() + " done under " + done + ", again in " + batch);
      }
      fate.delivered(batch);
    }
    for (HeldBatch other : batches.subList(Math.max(0, batches.size() - RECENT), batches.size())) {
      if (surelyOverlap(other, batch)) {
        violations.add(Violation.OVERLAPPING_LEASE, other + " and " + batch);
      }
    }
    batches.add(batch);
  }

  private boolean isFresh(HeldBatch batch) {
    return batch.received() - batch.sent() < leaseNanos;
  }

  /** Whether one was live when the other was granted, whichever of them was first. */
  private boolean surelyOverlap(HeldBatch one, HeldBatch other) {
    if (one.leaseId().equals(other.leaseId())) {
      return true;
    }
    boolean oneFirst = one.sent() < other.received();
    boolean otherFirst = other.sent() < one.received();
    return (!oneFirst || one.surelyLive(other.received(), leaseNanos))
        && (!otherFirst || other.surelyLive(one.received(), leaseNanos));
  }

  /** The broker took an ack of this batch, sent at that moment: the message is done. */
  void done(AuditedMessage message, HeldBatch under, long sent) {
    Fate fate = message.fate(group);
    HeldBatch last = fate.last();
    if (last != null && last != under && last.received() > sent && isFresh(last)) {
      violations.add(
          Violation.DELIVERED_AFTER_ACK, message + " done under " + under + ", then in " + last);
    }
    fate.done(under, sent);
  }

  /**
   * Holds all deliveries against the true order of the partition: whatever stands before a message
   * and did not come with it must have been done, or nearly, when the message came. First
   * deliveries in order follow from that, and so does that nothing was passed over.
   */
  void checkOrder(List<AuditedMessage> stored) {
    long[] allBefore = new long[stored.size() + 1];
    for (int i = 0; i < stored.size(); i++) {
      allBefore[i + 1] = Math.max(allBefore[i], stored.get(i).fate(group).doneSent());
    }
    for (HeldBatch batch : batches) {
      int[] positions =
          batch.messages().stream().mapToInt(held -> held.message().position()).toArray();
      if (Arrays.stream(positions).allMatch(position -> position >= 0)) {
        check(batch, positions, stored, allBefore);
      }
    }
  }

  private void check(
      HeldBatch batch, int[] positions, List<AuditedMessage> stored, long[] allBefore) {
    if (allBefore[positions[0]] > batch.received()) {
      violations.add(
          Violation.ORDER_INVERSION,
          batch + " begins at " + positions[0] + ", but something before was not done");
    }
    for (int i = 1; i < positions.length; i++) {
      if (positions[i] <= positions[i - 1]) {
        violations.add(
            Violation.ORDER_INVERSION,
            batch + ": " + positions[i] + " comes behind " + positions[i - 1]);
      }
      for (int between = positions[i - 1] + 1; between < positions[i]; between++) {
        if (stored.get(between).fate(group).doneSent() > batch.received()) {
          violations.add(
              Violation.ORDER_INVERSION,
              batch + " passes over " + between + ", which was not done");
        }
      }
    }
  }
}
