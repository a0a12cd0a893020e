package dev.queenmq.bench.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Which partitions a group should look at, and from when: hints only, from the tail feed, from
 * reconciling and from pops. There is no other way for a consumer to find work. Safe for any
 * thread.
 */
final class ReadyPartitions {
  private final Map<UUID, Long> due = new HashMap<>();

  /** Look there in this many milliseconds, or earlier if an earlier time is known. */
  synchronized void add(UUID partition, long inMillis) {
    due.merge(partition, System.nanoTime() + Math.max(0, inMillis) * 1_000_000, Math::min);
  }

  /** Some partitions that are due. Mostly they are taken off; sometimes another gets them too. */
  synchronized List<UUID> take(int count, RandomGenerator random) {
    long now = System.nanoTime();
    boolean keep = random.nextInt(10) == 0;
    List<UUID> taken = new ArrayList<>();
    Iterator<Map.Entry<UUID, Long>> all = due.entrySet().iterator();
    while (all.hasNext() && taken.size() < count) {
      Map.Entry<UUID, Long> entry = all.next();
      if (entry.getValue() - now <= 0) {
        taken.add(entry.getKey());
        if (!keep) {
          all.remove();
        }
      }
    }
    return taken;
  }
}
