package dev.queenmq.bench.audit;

import java.util.Optional;
import java.util.UUID;

/**
 * What the store acknowledged of one producer's pushes to one partition, by sequence number. Safe
 * for any thread.
 */
final class PushLedger {
  private static final long UNKNOWN_OFFSET = -1;

  private final LongColumn high = new LongColumn();
  private final LongColumn low = new LongColumn();
  private final LongColumn offsetPlusTwo = new LongColumn();

  /** The next sequence number to use; known only to the producer. */
  synchronized int next() {
    return offsetPlusTwo.size();
  }

  synchronized void queued(int sequence, UUID id, long offset) {
    high.set(sequence, id.getMostSignificantBits());
    low.set(sequence, id.getLeastSignificantBits());
    offsetPlusTwo.set(sequence, offset + 2);
  }

  /** Stored by a push whose answer was lost. */
  synchronized void found(int sequence, UUID id) {
    queued(sequence, id, UNKNOWN_OFFSET);
  }

  synchronized Optional<UUID> id(int sequence) {
    return offsetPlusTwo.get(sequence) == 0
        ? Optional.empty()
        : Optional.of(new UUID(high.get(sequence), low.get(sequence)));
  }

  /** Whether the acknowledged offset, as far as one was told, is this one. */
  synchronized boolean agrees(int sequence, long offset) {
    long known = offsetPlusTwo.get(sequence) - 2;
    return known == UNKNOWN_OFFSET || known == offset;
  }
}
