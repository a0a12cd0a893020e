package dev.queenmq.bench.audit.ledger;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What one pop brought from one partition, under a lease. Times are of this JVM. The lease was
 * granted between the moment at which the pop was sent and that at which its answer was here, or at
 * a moment that the store reports. For one event loop.
 */
public final class HeldBatch {
  private static final Duration MARGIN = Duration.ofMillis(200);
  private static final Duration SMALL_MARGIN = Duration.ofMillis(100);

  private final String leaseId;
  private final String partitionId;
  private final int partition;
  private final int group;
  private final List<AuditedMessage> messages;
  private final long sent;
  private final long received;
  private final OptionalLong granted;
  private final Duration lease;
  private final Set<AuditedMessage> unanswered;
  private long releaseSent = Long.MAX_VALUE;

  /** The lease began, or was extended, not before this moment. */
  private long earliestStart;

  /** And not after this one. */
  private long latestStart;

  public HeldBatch(
      String leaseId,
      String partitionId,
      int partition,
      int group,
      List<AuditedMessage> messages,
      long sent,
      OptionalLong granted,
      Duration lease) {
    this(leaseId, partitionId, partition, group, messages, sent, System.nanoTime(), granted, lease);
  }

  /** One that was received at another moment than now. */
  public HeldBatch(
      String leaseId,
      String partitionId,
      int partition,
      int group,
      List<AuditedMessage> messages,
      long sent,
      long received,
      OptionalLong granted,
      Duration lease) {
    this.leaseId = leaseId;
    this.partitionId = partitionId;
    this.partition = partition;
    this.group = group;
    this.messages = messages;
    this.sent = sent;
    this.granted = granted;
    this.lease = lease;
    this.received = received;
    earliestStart = granted.orElse(sent);
    latestStart = granted.orElse(received);
    unanswered = new HashSet<>(messages);
  }

  public String leaseId() {
    return leaseId;
  }

  public String partitionId() {
    return partitionId;
  }

  public int partition() {
    return partition;
  }

  public int group() {
    return group;
  }

  public List<AuditedMessage> messages() {
    return messages;
  }

  public long sent() {
    return sent;
  }

  long received() {
    return received;
  }

  public long releaseSent() {
    return releaseSent;
  }

  /** A done ack is on its way; the lease may end once nothing is unanswered. */
  public void answering(AuditedMessage message, long now) {
    unanswered.remove(message);
    if (unanswered.isEmpty()) {
      releasing(now);
    }
  }

  /** Something is on its way that may end the lease. */
  public void releasing(long now) {
    releaseSent = Math.min(releaseSent, now);
  }

  /** An extension by the time of a lease may happen at any time from now on. */
  public void extending() {
    latestStart = Long.MAX_VALUE;
  }

  /** The extension that was sent at this moment has happened, and its answer is here now. */
  public void extended(long extensionSent, long now) {
    earliestStart = extensionSent;
    latestStart = now;
  }

  boolean isGrantKnown() {
    return granted.isPresent();
  }

  /**
   * Whether this was granted after another one on the same partition, under which a message is done
   * that is in both. Without the store's word, an answer that was under way for longer than a lease
   * lives proves nothing.
   */
  boolean surelyAfter(HeldBatch other) {
    if (granted.isPresent() && other.granted.isPresent()) {
      return granted.getAsLong() > other.granted.getAsLong();
    }
    return received - sent < lease.minus(SMALL_MARGIN).toNanos();
  }

  /** Whether one was live when the other was granted, whichever of them was first. */
  boolean surelyOverlaps(HeldBatch other) {
    return leaseId.equals(other.leaseId)
        || ((!mayPrecede(other) || liveWhenGranted(other))
            && (!other.mayPrecede(this) || other.liveWhenGranted(this)));
  }

  private boolean mayPrecede(HeldBatch other) {
    return granted.orElse(sent) < other.granted.orElse(other.received);
  }

  private boolean liveWhenGranted(HeldBatch later) {
    Duration margin = granted.isPresent() ? Duration.ZERO : SMALL_MARGIN;
    return later.granted.orElse(later.received) < earliestStart + lease.minus(margin).toNanos()
        && later.received < releaseSent;
  }

  /** Whether the lease cannot have run out at this moment. */
  public boolean inTime(long moment) {
    return moment < earliestStart + lease.minus(MARGIN).toNanos();
  }

  /** Whether an ack that was sent at this moment came when the lease had run out for long. */
  public boolean isLate(long ackSent) {
    return latestStart != Long.MAX_VALUE && ackSent > latestStart + lease.plus(MARGIN).toNanos();
  }

  @Override
  public String toString() {
    return "lease %s on partition %d of group %d, %d messages, sent %d, here %d, granted %s,"
            .formatted(leaseId, partition, group, messages.size(), sent, received, granted)
        + " released "
        + releaseSent;
  }
}
