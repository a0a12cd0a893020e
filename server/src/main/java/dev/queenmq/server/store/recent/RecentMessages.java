package dev.queenmq.server.store.recent;

import dev.queenmq.server.model.StoredMessage;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages that this broker has pushed last, of partitions whose consumers keep up. A pop of
 * such a partition leases in PostgreSQL as always, but need not read there what it gives.
 *
 * <h2>What it guarantees</h2>
 *
 * <p>What it gives for a range of offsets is what PostgreSQL has there, byte for byte. Which range
 * a pop gets, PostgreSQL alone decides, in the same statement and under the same conditions as
 * without this memory. So it can save work, and cannot change an answer.
 *
 * <h2>How</h2>
 *
 * <ul>
 *   <li>It learns a message only when PostgreSQL has answered that the message is committed, with
 *       its offset and time. The message at an offset never changes after that; a partition that is
 *       deleted and made again has another id.
 *   <li>Messages that were deleted, dropped by retention, cleared or expired are not asked for: a
 *       plain pop leases only from cursors and queues without such a history ({@code pop_one.sql}),
 *       and all others read from PostgreSQL.
 *   <li>It has no sealed messages, whose form may change.
 *   <li>Another server, and the same one after a restart, may lack the last commits and give their
 *       offsets to other messages. Then everything is forgotten before the first statement reaches
 *       that server ({@code Slots}, {@code PrimaryFinder}). Behind a pooler that cannot be known in
 *       time; there plain statements, and so this memory, are not used. Nor is it used where
 *       PostgreSQL answers before a commit is on the disk ({@code Durability}).
 *   <li>A run of messages has no gap. What others append between makes a new run begin.
 * </ul>
 *
 * <h2>What is kept</h2>
 *
 * <p>Only partitions of which some consumer group has lately come near the end: where consumers
 * lag, messages would be held for nothing, in memory that the collector has to look at. After
 * {@value #PATIENCE} pushes that no such pop has followed, a partition is dropped until the next
 * one. All runs together take at most the given bytes, one of them a sixteenth; the partition that
 * was not used for longest goes first.
 *
 * <p>Owned by the store's event loop.
 */
public final class RecentMessages {
  /** Pushes to a partition that are remembered without a pop between them. */
  private static final int PATIENCE = 16;

  private static final int LEAST_PARTITIONS = 16;

  /** A partition beside its messages. */
  private static final int PARTITION_BYTES = 200;

  /** Of a partition: what is kept, and how many pushes no pop has followed. */
  private static final class Kept {
    RecentRun run = RecentRun.EMPTY;
    int unpopped;
  }

  /** The one that was not used for longest comes first. */
  private final Map<UUID, Kept> partitions = new LinkedHashMap<>(16, 0.75f, true);

  private final long mostBytes;
  private long bytes;

  /**
   * Remembers nothing yet.
   *
   * @param mostBytes for all messages together
   */
  public RecentMessages(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** What is kept of a partition; null if nothing is. */
  public @Nullable RecentRun find(UUID partitionId) {
    @Nullable Kept kept = partitions.get(partitionId);
    return kept == null || kept.run.messages().isEmpty() ? null : kept.run;
  }

  /** A pop has got nearly all that was there. */
  public void popped(UUID partitionId) {
    @Nullable Kept kept = partitions.get(partitionId);
    if (kept != null) {
      kept.unpopped = 0;
    } else {
      partitions.put(partitionId, new Kept());
      bytes += PARTITION_BYTES;
      shrink();
    }
  }

  /**
   * Messages were appended to a partition, and that is committed.
   *
   * @param messages of one push, without a gap; asked for only if they are kept
   */
  public void appended(UUID partitionId, Supplier<List<StoredMessage>> messages) {
    @Nullable Kept kept = partitions.get(partitionId);
    if (kept == null) {
      return;
    }
    kept.unpopped++;
    if (kept.unpopped > PATIENCE) {
      forget(partitionId);
      return;
    }
    bytes -= kept.run.bytes();
    kept.run = kept.run.then(messages.get(), mostBytes / LEAST_PARTITIONS);
    bytes += kept.run.bytes();
    shrink();
  }

  private void forget(UUID partitionId) {
    @Nullable Kept kept = partitions.remove(partitionId);
    if (kept != null) {
      bytes -= kept.run.bytes() + PARTITION_BYTES;
    }
  }

  /** Forgets everything: another server has another history. */
  public void forgetAll() {
    partitions.clear();
    bytes = 0;
  }

  private void shrink() {
    Iterator<Kept> oldest = partitions.values().iterator();
    while (bytes > mostBytes && oldest.hasNext()) {
      bytes -= oldest.next().run.bytes() + PARTITION_BYTES;
      oldest.remove();
    }
  }
}
