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
import java.util.function.Supplier;

/** What is known of one queue: its ready lists, who waits for it, who listens. */
final class QueueRoom {
  /** After this long a ready list is made anew, if anybody asks. */
  private static final long RECONCILE_MILLIS = 600_000;

  /** So long a queue that nobody asks for is remembered. */
  private static final long FORGET_MILLIS = 300_000;

  private record GroupKey(Optional<String> partition, String group) {}

  /** What all rooms have in common. */
  record Doors(Peers peers, BackoffRules backoff, Supplier<GroupAlarm> alarms) {}

  private final String queue;
  private final Doors doors;
  private final Map<GroupKey, WaitGroup> groups = new HashMap<>();
  private final Map<String, ReadyList> lists = new HashMap<>();
  private final Map<String, Long> primedAt = new HashMap<>();
  private final Set<Runnable> bells = new LinkedHashSet<>();
  private long usedAt;

  QueueRoom(String queue, Doors doors) {
    this.queue = queue;
    this.doors = doors;
  }

  String queue() {
    return queue;
  }

  void used(long now) {
    usedAt = now;
  }

  WaitGroup any(String group) {
    return groups.computeIfAbsent(
        new GroupKey(Optional.empty(), group),
        key ->
            new AnyPartition(
                queue, group, doors, lists.computeIfAbsent(group, name -> new ReadyList())));
  }

  WaitGroup one(String partition, String group) {
    return groups.computeIfAbsent(
        new GroupKey(Optional.of(partition), group),
        key -> new OnePartition(queue, partition, group, doors));
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

  /**
   * Another broker's lease ended; answers who may get what lies behind it. Who has not met that
   * lease has nothing to wait for, unless the store is just telling it.
   */
  List<WaitGroup> freed(String partition, UUID partitionId, String group) {
    List<WaitGroup> concerned = new ArrayList<>();
    WaitGroup any = groups.get(new GroupKey(Optional.empty(), group));
    ReadyList list = lists.get(group);
    boolean asking = any != null && any.backoff.inFlight();
    if (list != null && list.freed(partitionId, asking) && any != null) {
      concerned.add(any);
    }
    WaitGroup one = groups.get(new GroupKey(Optional.of(partition), group));
    if (one != null && (one.nextDue() != ReadyList.NEVER || one.backoff.inFlight())) {
      hint(one);
      concerned.add(one);
    }
    return concerned;
  }

  /** Nothing that is known of a group counts any more; answers its polls. */
  List<WaitGroup> moved(String group) {
    primedAt.remove(group);
    Optional.ofNullable(lists.get(group)).ifPresent(ReadyList::clear);
    List<WaitGroup> concerned = groups().stream().filter(each -> each.group.equals(group)).toList();
    concerned.forEach(WaitGroup::resumed);
    concerned.forEach(QueueRoom::hint);
    return concerned;
  }

  /** A partition is gone; answers who waits for it: one of the same name may be there already. */
  List<WaitGroup> gone(String partition, UUID partitionId) {
    lists.values().forEach(list -> list.forget(partitionId));
    List<WaitGroup> concerned = new ArrayList<>();
    groups.forEach(
        (key, group) -> {
          if (key.partition.equals(Optional.of(partition))) {
            hint(group);
            concerned.add(group);
          }
        });
    return concerned;
  }

  /** Nothing that is known of it counts any more. */
  List<WaitGroup> changed() {
    primedAt.clear();
    return resumed();
  }

  /** Nothing is paused any more, as far as is known; answers who waits. */
  List<WaitGroup> resumed() {
    groups
        .values()
        .forEach(
            group -> {
              group.resumed();
              hint(group);
            });
    return groups();
  }

  void listen(Runnable bell) {
    bells.add(bell);
  }

  boolean ignore(Runnable bell) {
    return bells.remove(bell);
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
