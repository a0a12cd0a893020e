package dev.queenmq.server.store.ack;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.StoredMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the leases cover that a broker has given: with that, an ack is a range of offsets, and
 * PostgreSQL need not look for messages by their transaction ids. Shared by the stores of a broker,
 * because the ack of a lease comes to any of them. Thread-safe, bounded.
 *
 * <p>Only leases over one partition: their ids stand in one cursor, and the statement finds it by
 * them.
 *
 * <p>A hint: the statement that uses it checks the lease, what it covers and how far the group is.
 * What a lease covers never changes while it is live, and neither do the messages at an offset, so
 * an entry cannot be wrong, only of a lease that is over. What is not remembered (the broker was
 * started again, another one gave the lease, there was no room) is acked by its transaction ids
 * ({@link AckByIds}) or by {@code ack_v1}.
 *
 * <p>The transaction ids are kept themselves, not their hashes: the answer has them in memory
 * anyway, to compare them costs less than to hash them, and a wrong one is never taken for right.
 */
public final class LeaseMemory {
  /** Most bytes for what is remembered, about; all consumers together rarely hold that much. */
  private static final long MOST_BYTES = 8L << 20;

  /** An entry beside its transaction ids, and an id beside its characters. */
  private static final int ENTRY_BYTES = 240;

  private static final int ID_BYTES = 48;

  private static final int MOST_UNUSUAL = 4096;

  /** A lease that is longer, or was renewed, may be forgotten. */
  private static final Duration MOST_TIME = Duration.ofMinutes(10);

  /** The version digit of the id of a lease over one partition: see {@code pop_v1}. */
  private static final int ONE_PARTITION = 8;

  private record Key(UUID leaseId, UUID partitionId) {}

  /** What a lease covers of one partition, without a gap. */
  static final class Covered {
    final String queue;
    final String partition;
    final UUID partitionId;
    final String group;
    final UUID leaseId;
    final long low;
    final String[] transactionIds;
    private final Duration timeLeft;

    /** How many are done: those before the first that the next ack should name. */
    private volatile int done;

    private Covered(
        PartitionBatch batch, Lease lease, String group, String[] transactionIds, Duration left) {
      queue = batch.queue();
      partition = batch.partition();
      partitionId = batch.partitionId();
      this.group = group;
      leaseId = lease.id();
      low = batch.messages().get(0).offset();
      this.transactionIds = transactionIds;
      timeLeft = left;
    }

    long high() {
      return low + transactionIds.length;
    }

    int done() {
      return done;
    }
  }

  private final Cache<Key, Covered> leases =
      Caffeine.newBuilder()
          .maximumWeight(MOST_BYTES)
          .weigher((Key key, Covered covered) -> bytes(covered))
          .expireAfter(Expiry.writing((Key key, Covered covered) -> covered.timeLeft))
          .executor(Runnable::run)
          .build();

  /** Leases that only {@code ack_v1} can deal with, as the last ack has shown. */
  private final Cache<Key, Boolean> unusual =
      Caffeine.newBuilder()
          .maximumSize(MOST_UNUSUAL)
          .expireAfterWrite(MOST_TIME)
          .executor(Runnable::run)
          .build();

  private final InstantSource clock;

  /** Remembers nothing yet. */
  public LeaseMemory(InstantSource clock) {
    this.clock = clock;
  }

  /** A group got these under leases. */
  public void granted(List<PartitionBatch> batches, String group) {
    for (PartitionBatch batch : batches) {
      @Nullable Lease lease = batch.lease().orElse(null);
      if (lease != null && lease.id().version() == ONE_PARTITION && isUsual(batch.messages())) {
        Duration left = Duration.between(clock.instant(), lease.expiresAt());
        leases.put(
            new Key(lease.id(), batch.partitionId()),
            new Covered(
                batch,
                lease,
                group,
                batch.messages().stream().map(StoredMessage::transactionId).toArray(String[]::new),
                left.isNegative() || left.compareTo(MOST_TIME) > 0 ? MOST_TIME : left));
      }
    }
  }

  /** The queue of the lease that an ack is on, if that is known. For any thread. */
  public Optional<String> queueOf(Ack ack) {
    return ack.leaseId()
        .map(leaseId -> find(leaseId, ack.partitionId()))
        .map(covered -> covered.queue);
  }

  /** What a lease covers of a partition; null where that is not known. */
  @Nullable Covered find(UUID leaseId, UUID partitionId) {
    return leases.getIfPresent(new Key(leaseId, partitionId));
  }

  /** This many of what a lease covers are done. */
  void done(Covered covered, int done) {
    if (done == covered.transactionIds.length) {
      forget(covered);
    } else {
      covered.done = done;
    }
  }

  /**
   * Forgets all leases. Another server may lack the last ones, and give their offsets to other
   * messages.
   */
  public void forgetAll() {
    leases.invalidateAll();
  }

  /** The messages of a lease are acked in a way that only {@code ack_v1} can deal with. */
  void unusual(UUID leaseId, UUID partitionId) {
    unusual.put(new Key(leaseId, partitionId), true);
  }

  /** Whether the next acks of a lease should go to {@code ack_v1} at once. */
  boolean isUnusual(UUID leaseId, UUID partitionId) {
    return unusual.getIfPresent(new Key(leaseId, partitionId)) != null;
  }

  void forget(Covered covered) {
    leases.invalidate(new Key(covered.leaseId, covered.partitionId));
  }

  /** Without gaps, and without what was delivered before: such a cursor has a history. */
  private static boolean isUsual(List<StoredMessage> messages) {
    if (messages.isEmpty()) {
      return false;
    }
    StoredMessage first = messages.get(0);
    StoredMessage last = messages.get(messages.size() - 1);
    return first.attempt() == 1 && last.offset() - first.offset() == messages.size() - 1;
  }

  private static int bytes(Covered covered) {
    long bytes = ENTRY_BYTES;
    for (String id : covered.transactionIds) {
      bytes += ID_BYTES + id.length();
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }
}
