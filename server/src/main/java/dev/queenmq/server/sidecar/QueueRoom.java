package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.WaitGroup.AnyPartition;
import dev.queenmq.server.sidecar.WaitGroup.OnePartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What is known of one queue: its ready lists, who waits for it, who listens. */
final class QueueRoom {
  /** After this long a ready list is made anew, if anybody asks. */
  private static final long RECONCILE_MILLIS = 600_000;

  /** So long a queue that nobody asks for is remembered. */
  private static final long FORGET_MILLIS = 300_000;

  private record GroupKey(Optional<String> partition, String group) {}

  private final String queue;
  private final Map<GroupKey, WaitGroup> groups = new HashMap<>();
  private final Map<String, ReadyList> lists = new HashMap<>();
  private final Map<String, Long> primedAt = new HashMap<>();
  private final Set<Runnable> bells = new LinkedHashSet<>();
  private long usedAt;

  QueueRoom(String queue) {
    this.queue = queue;
  }

  void used(long now) {
    usedAt = now;
  }

  WaitGroup any(String group, BackoffRules rules) {
    return groups.computeIfAbsent(
        new GroupKey(Optional.empty(), group),
        key ->
            new AnyPartition(
                queue,
                group,
                new GroupBackoff(rules),
                lists.computeIfAbsent(group, name -> new ReadyList())));
  }

  WaitGroup one(String partition, String group, BackoffRules rules) {
    return groups.computeIfAbsent(
        new GroupKey(Optional.of(partition), group),
        key -> new OnePartition(queue, partition, group, new GroupBackoff(rules)));
  }

  List<WaitGroup> groups() {
    return new ArrayList<>(groups.values());
  }

  /** A partition got messages; answers who may get them now. */
  List<WaitGroup> appended(String partition, UUID partitionId) {
    lists.values().forEach(list -> list.add(partitionId));
    List<WaitGroup> concerned = new ArrayList<>();
    groups.forEach(
        (key, group) -> {
          if (key.partition.isEmpty()) {
            concerned.add(group);
          } else if (key.partition.get().equals(partition)) {
            hint(group);
            concerned.add(group);
          }
        });
    return concerned;
  }

  /** A lease ended; answers who may get what it held. */
  List<WaitGroup> released(String partition, UUID partitionId, String group, boolean done) {
    ReadyList list = lists.get(group);
    if (list != null) {
      list.released(partitionId, done);
    }
    List<WaitGroup> concerned = new ArrayList<>();
    WaitGroup any = groups.get(new GroupKey(Optional.empty(), group));
    if (any != null) {
      concerned.add(any);
    }
    WaitGroup one = groups.get(new GroupKey(Optional.of(partition), group));
    if (one != null) {
      hint(one);
      concerned.add(one);
    }
    return concerned;
  }

  /** Nothing that is known of it counts any more. */
  List<WaitGroup> changed() {
    primedAt.clear();
    groups.values().forEach(QueueRoom::hint);
    return groups();
  }

  void listen(Runnable bell) {
    bells.add(bell);
  }

  void ignore(Runnable bell) {
    bells.remove(bell);
  }

  void ring() {
    List.copyOf(bells).forEach(Runnable::run);
  }

  boolean primed(String group, long now) {
    Long at = primedAt.get(group);
    return at != null && now - at < RECONCILE_MILLIS;
  }

  void primed(String group, boolean done, long now) {
    if (done) {
      primedAt.put(group, now);
    } else {
      primedAt.remove(group);
    }
  }

  boolean forgettable(long now) {
    return bells.isEmpty()
        && now - usedAt > FORGET_MILLIS
        && groups.values().stream().allMatch(group -> group.waiters.isEmpty());
  }

  private static void hint(WaitGroup group) {
    if (group instanceof OnePartition one) {
      one.hint();
    }
  }
}
