package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.audit.Violations;
import dev.queenmq.bench.broker.PopMessage;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What one pop brought from one partition, under a lease. Times are of this JVM: the lease was
 * granted between the moment at which the pop was sent and that at which its answer was here. For
 * one event loop.
 */
final class HeldBatch {

  /** A message as it came. */
  record Held(AuditedMessage message, PopMessage popped) {}

  private static final Duration MARGIN = Duration.ofMillis(200);

  private final String leaseId;
  private final int partition;
  private final int group;
  private final List<Held> messages;
  private final long sent;
  private final long received;
  private final Set<AuditedMessage> unanswered = new HashSet<>();
  private long releaseSent = Long.MAX_VALUE;

  /** The lease began, or was extended, not before this moment. */
  private long earliestStart;

  /** And not after this one. */
  private long latestStart;

  HeldBatch(
      String leaseId, int partition, int group, List<Held> messages, long sent, long received) {
    this.leaseId = leaseId;
    this.partition = partition;
    this.group = group;
    this.messages = messages;
    this.sent = sent;
    this.received = received;
    earliestStart = sent;
    latestStart = received;
    messages.forEach(held -> unanswered.add(held.message()));
  }

  String leaseId() {
    return leaseId;
  }

  int partition() {
    return partition;
  }

  int group() {
    return group;
  }

  List<Held> messages() {
    return messages;
  }

  long sent() {
    return sent;
  }

  long received() {
    return received;
  }

  long releaseSent() {
    return releaseSent;
  }

  /** A done ack is on its way; the lease may end once nothing is unanswered. */
  void answering(AuditedMessage message, long now) {
    unanswered.remove(message);
    if (unanswered.isEmpty()) {
      releasing(now);
    }
  }

  /** Something is on its way that may end the lease. */
  void releasing(long now) {
    releaseSent = Math.min(releaseSent, now);
  }

  /** An extension by the time of a lease may happen at any time from now on. */
  void extending() {
    latestStart = Long.MAX_VALUE;
  }

  /** The extension that was sent at this moment has happened, and its answer is here now. */
  void extended(long extensionSent, long now) {
    earliestStart = extensionSent;
    latestStart = now;
  }

  /** Whether the lease was surely live at this moment, if it was granted before. */
  boolean surelyLive(long moment, long leaseNanos) {
    return inTime(moment, leaseNanos) && moment < releaseSent;
  }

  /** Whether the lease cannot have run out at this moment. */
  boolean inTime(long moment, long leaseNanos) {
    return moment < earliestStart + leaseNanos;
  }

  /** An ack was taken that was sent at this moment; then the lease cannot have run out before. */
  void checkLate(long verdictSent, Duration lease, Violations violations) {
    if (latestStart != Long.MAX_VALUE && verdictSent > latestStart + lease.plus(MARGIN).toNanos()) {
      violations.add(Violation.LATE_ACK_ACCEPTED, "sent " + verdictSent + ": " + this);
    }
  }

  @Override
  public String toString() {
    return "lease %s on partition %d of group %d, %d messages, sent %d, here %d, released %d"
        .formatted(leaseId, partition, group, messages.size(), sent, received, releaseSent);
  }
}
