package dev.queenmq.bench.audit;

import dev.queenmq.server.model.StoredMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that one group got from one partition, by offset. Deliveries are ordered by the time
 * at which the database granted their leases, so that it does not matter in which order the answers
 * come here. Safe for any thread.
 */
final class CursorLedger {
  private static final int RECENT = 32;

  /** A call without lease id was on its way; it may have ended anybody's lease. */
  private record Loose(long sent, long answered) {}

  private final String name;
  private final Violations violations;
  private final LongColumn firstGrant = new LongColumn();
  private final LongColumn lastGrant = new LongColumn();
  private final LongColumn doneGrant = new LongColumn();
  private final Map<Long, Long> doneLoosely = new HashMap<>();
  private final Deque<HeldLease> recent = new ArrayDeque<>();
  private final Deque<Loose> loose = new ArrayDeque<>();

  CursorLedger(String name, Violations violations) {
    this.name = name;
    this.violations = violations;
  }

  synchronized void delivered(HeldLease lease) {
    long previous = -1;
    for (StoredMessage message : lease.batch().messages()) {
      long offset = message.offset();
      if (offset <= previous) {
        violations.add(Violation.ORDER_INVERSION, name + ": within one batch at " + offset);
      }
      previous = offset;
      long first = firstGrant.get(offset);
      if (first == 0 || lease.grantMicros() < first) {
        firstGrant.set(offset, lease.grantMicros());
      }
      lastGrant.set(offset, Math.max(lastGrant.get(offset), lease.grantMicros()));
      checkNotDone(lease, offset);
    }
    for (HeldLease other : recent) {
      check(other, lease);
    }
    recent.addLast(lease);
    if (recent.size() > RECENT) {
      recent.removeFirst();
    }
  }

  private void checkNotDone(HeldLease lease, long offset) {
    long done = doneGrant.get(offset);
    Long doneAt = doneLoosely.get(offset);
    if ((done != 0 && done < lease.grantMicros()) || (doneAt != null && doneAt < lease.popSent())) {
      violations.add(
          Violation.DELIVERED_AFTER_ACK,
          "%s: offset %d, done under a lease of %d, again in %s"
              .formatted(name, offset, done, lease));
    }
  }

  private void check(HeldLease one, HeldLease other) {
    if (!one.id().equals(other.id())
        && (one.surelyOverlaps(other) || other.surelyOverlaps(one))
        && !looseBetween(one, other)) {
      violations.add(Violation.OVERLAPPING_LEASE, name + ": " + one + " and " + other);
    }
  }

  private boolean looseBetween(HeldLease one, HeldLease other) {
    long from = Math.min(one.popSent(), other.popSent());
    long to = Math.max(one.popAnswered(), other.popAnswered());
    return loose.stream().anyMatch(call -> call.sent() < to && call.answered() > from);
  }

  /** The lease was extended; who came in between? */
  synchronized void renewed(HeldLease lease) {
    for (HeldLease other : recent) {
      if (other.grantMicros() > lease.grantMicros()) {
        check(lease, other);
      }
    }
  }

  /** The store says that the message is done, answering this lease. */
  synchronized void done(HeldLease lease, long offset) {
    long known = doneGrant.get(offset);
    if (known == 0 || lease.grantMicros() < known) {
      doneGrant.set(offset, lease.grantMicros());
    }
    if (lastGrant.get(offset) > lease.grantMicros()) {
      violations.add(
          Violation.DELIVERED_AFTER_ACK,
          "%s: offset %d, acked in %s, was delivered by a later lease of %d"
              .formatted(name, offset, lease, lastGrant.get(offset)));
    }
  }

  /** A call without lease id is about to leave. */
  synchronized void looseSent(long sent) {
    remember(new Loose(sent, Long.MAX_VALUE));
  }

  /** The store says that these are done, whoever holds them. */
  synchronized void doneLoosely(List<Long> offsets, long sent) {
    long now = System.nanoTime();
    loose.removeIf(call -> call.sent() == sent);
    remember(new Loose(sent, now));
    offsets.forEach(offset -> doneLoosely.putIfAbsent(offset, now));
  }

  private void remember(Loose call) {
    loose.addLast(call);
    if (loose.size() > RECENT) {
      loose.removeFirst();
    }
  }

  /** Handed out with autoAck, to the group's only consumer. */
  synchronized void taken(List<StoredMessage> messages) {
    for (StoredMessage message : messages) {
      if (message.offset() < firstGrant.size()) {
        violations.add(
            firstGrant.get(message.offset()) == 0
                ? Violation.ORDER_INVERSION
                : Violation.DELIVERED_AFTER_ACK,
            name + ": autoAck, offset " + message.offset());
      }
      firstGrant.set(message.offset(), 1);
    }
  }

  synchronized boolean wasDelivered(long offset) {
    return firstGrant.get(offset) != 0;
  }

  synchronized long deliveredCount() {
    long count = 0;
    for (int offset = 0; offset < firstGrant.size(); offset++) {
      count += firstGrant.get(offset) == 0 ? 0 : 1;
    }
    return count;
  }

  /** First deliveries must follow the offsets. */
  synchronized void checkOrder() {
    long latest = 0;
    for (int offset = 0; offset < firstGrant.size(); offset++) {
      long grant = firstGrant.get(offset);
      if (grant != 0 && grant < latest) {
        violations.add(
            Violation.ORDER_INVERSION,
            "%s: offset %d first at %d, a smaller one only at %d"
                .formatted(name, offset, grant, latest));
      }
      latest = Math.max(latest, grant);
    }
  }
}
