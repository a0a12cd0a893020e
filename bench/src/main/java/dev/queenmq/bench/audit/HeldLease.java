package dev.queenmq.bench.audit;

import dev.queenmq.server.model.PartitionBatch;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * A lease on one partition as its consumer knows it. Times of the database (micros) say when it was
 * granted and runs out; times of this JVM (nanos) say what surely came before what.
 */
final class HeldLease {
  private final UUID id;
  private final PartitionBatch batch;
  private final long grantMicros;
  private final long popSent;
  private final long popAnswered;
  private final Set<Long> unanswered = new HashSet<>();
  private volatile long expiresMicros;
  private volatile long releaseSent = Long.MAX_VALUE;

  HeldLease(
      UUID id,
      PartitionBatch batch,
      Instant expiresAt,
      long leaseMicros,
      long popSent,
      long popAnswered) {
    this.id = id;
    this.batch = batch;
    this.expiresMicros = micros(expiresAt);
    this.grantMicros = expiresMicros - leaseMicros;
    this.popSent = popSent;
    this.popAnswered = popAnswered;
    batch.messages().forEach(message -> unanswered.add(message.offset()));
  }

  static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000;
  }

  UUID id() {
    return id;
  }

  PartitionBatch batch() {
    return batch;
  }

  long grantMicros() {
    return grantMicros;
  }

  long expiresMicros() {
    return expiresMicros;
  }

  long popSent() {
    return popSent;
  }

  long popAnswered() {
    return popAnswered;
  }

  void renewed(Instant until) {
    expiresMicros = Math.max(expiresMicros, micros(until));
  }

  /** Done acks on these are on their way; the lease may end once nothing is unanswered. */
  synchronized void answering(Set<Long> offsets) {
    unanswered.removeAll(offsets);
    if (unanswered.isEmpty()) {
      releasing();
    }
  }

  /** A call is on its way that may end the lease. */
  synchronized void releasing() {
    releaseSent = Math.min(releaseSent, System.nanoTime());
  }

  /**
   * Whether this lease was surely live and unanswered when the other was granted: it had not run
   * out by the database's clock, and nothing that could end it had left before the other was here.
   */
  boolean surelyOverlaps(HeldLease later) {
    return grantMicros <= later.grantMicros
        && later.grantMicros < expiresMicros
        && releaseSent > later.popAnswered;
  }

  @Override
  public String toString() {
    return "lease %s on %s of %d messages, granted %d, until %d"
        .formatted(id, batch.partition(), batch.messages().size(), grantMicros, expiresMicros);
  }
}
