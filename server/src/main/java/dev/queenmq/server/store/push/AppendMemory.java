package dev.queenmq.server.store.push;

import dev.queenmq.server.model.PartitionName;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the store remembers of the partitions it appends to, least recently used forgotten first. A
 * hint throughout: without it pushes are slower and just as right. Owned by the store's event loop.
 */
public final class AppendMemory {
  private final Map<PartitionName, RememberedPartition> partitions =
      new LinkedHashMap<>(16, 0.75f, true);
  private final int maxPartitions;
  private final long maxIds;
  private long ids;

  public AppendMemory(int maxPartitions, long maxIds) {
    this.maxPartitions = maxPartitions;
    this.maxIds = maxIds;
  }

  @Nullable RememberedPartition find(PartitionName name) {
    return partitions.get(name);
  }

  void put(PartitionName name, RememberedPartition partition) {
    forget(name);
    partitions.put(name, partition);
    ids += partition.size();
  }

  public void forget(PartitionName name) {
    RememberedPartition old = partitions.remove(name);
    if (old != null) {
      ids -= old.size();
    }
  }

  /** Forgets everything: another server has another history. */
  public void forgetAll() {
    partitions.clear();
    ids = 0;
  }

  public void forgetQueue(String queue) {
    partitions
        .entrySet()
        .removeIf(
            entry -> {
              boolean goes = entry.getKey().queue().equals(queue);
              if (goes) {
                ids -= entry.getValue().size();
              }
              return goes;
            });
  }

  /** Changes what is remembered of a partition, and keeps count. */
  void change(RememberedPartition partition, Runnable change) {
    long before = partition.size();
    change.run();
    ids += partition.size() - before;
  }

  /** Whether a partition with this many ids can be remembered at all. */
  boolean canHold(long count) {
    return count <= maxIds / 2;
  }

  /** Forgets what was not used for longest until the limits hold. */
  void shrink() {
    Iterator<RememberedPartition> oldest = partitions.values().iterator();
    while ((partitions.size() > maxPartitions || ids > maxIds) && oldest.hasNext()) {
      ids -= oldest.next().size();
      oldest.remove();
    }
  }
}
