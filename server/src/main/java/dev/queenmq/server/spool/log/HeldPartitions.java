package dev.queenmq.server.spool.log;

import dev.queenmq.server.model.Message;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which partitions have an entry that is not settled. Safe for any thread.
 *
 * <p>A partition is counted while entries are on their way to the disk, and then known by the
 * sequence number of its last one. So entries that are lost to damage hold it no longer than the
 * next ones do. On the way from one to the other it is in both, and {@link #holds} looks in that
 * order.
 */
final class HeldPartitions {
  private final Map<Partition, Integer> onTheWay = new ConcurrentHashMap<>();
  private final Map<Partition, Long> written = new ConcurrentHashMap<>();

  boolean holds(String queue, String partition) {
    Partition asked = new Partition(queue, partition);
    return onTheWay.containsKey(asked) || written.containsKey(asked);
  }

  /** Entries are about to be written. */
  void setOut(List<SpoolEntry> entries) {
    for (SpoolEntry entry : entries) {
      onTheWay.merge(Partition.of(entry), 1, Integer::sum);
    }
  }

  /** They are on the disk, with sequence numbers from this one on. */
  void arrived(List<SpoolEntry> entries, long firstSequence) {
    long sequence = firstSequence;
    for (SpoolEntry entry : entries) {
      written.put(Partition.of(entry), sequence++);
    }
    leave(entries);
  }

  /** They will not be. */
  void failed(List<SpoolEntry> entries) {
    leave(entries);
  }

  private void leave(List<SpoolEntry> entries) {
    for (SpoolEntry entry : entries) {
      onTheWay.computeIfPresent(
          Partition.of(entry), (partition, count) -> count == 1 ? null : count - 1);
    }
  }

  /** An entry was found on the disk. */
  void found(SpoolEntry entry, long sequence) {
    written.put(Partition.of(entry), sequence);
  }

  /** This one is settled, and all before it. */
  void settled(SpoolEntry entry, long sequence) {
    written.computeIfPresent(
        Partition.of(entry), (partition, last) -> last <= sequence ? null : last);
  }

  /** All that was written up to here is settled, or lost. */
  void settledAll(long sequence) {
    written.values().removeIf(last -> last <= sequence);
  }

  private record Partition(String queue, String name) {
    static Partition of(SpoolEntry entry) {
      Message message = entry.message();
      return new Partition(message.queue(), message.partition());
    }
  }
}
