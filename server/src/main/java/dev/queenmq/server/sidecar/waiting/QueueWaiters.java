package dev.queenmq.server.sidecar.waiting;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The groups of one queue. */
final class QueueWaiters {
  private final Map<String, QueueGroup> groups = new HashMap<>();
  private final Map<String, Map<String, PartitionGroup>> named = new HashMap<>();

  /** The groups that poll the whole queue. */
  Collection<QueueGroup> groups() {
    return groups.values();
  }

  /** The groups that poll this partition by its name. */
  Collection<PartitionGroup> named(String partition) {
    return named.getOrDefault(partition, Map.of()).values();
  }

  @Nullable QueueGroup group(String group) {
    return groups.get(group);
  }

  @Nullable PartitionGroup named(String partition, String group) {
    return named.getOrDefault(partition, Map.of()).get(group);
  }

  List<WaitGroup> all() {
    List<WaitGroup> all = new ArrayList<>(groups.values());
    named.values().forEach(byGroup -> all.addAll(byGroup.values()));
    return all;
  }

  void add(QueueGroup group) {
    groups.put(group.group, group);
  }

  void add(PartitionGroup group) {
    named.computeIfAbsent(group.partition, name -> new HashMap<>()).put(group.group, group);
  }

  void remove(WaitGroup group) {
    if (group instanceof PartitionGroup one) {
      Map<String, PartitionGroup> byGroup = named.get(one.partition);
      if (byGroup != null && byGroup.remove(one.group, one) && byGroup.isEmpty()) {
        named.remove(one.partition);
      }
    } else {
      groups.remove(group.group);
    }
  }

  boolean isEmpty() {
    return groups.isEmpty() && named.isEmpty();
  }
}
