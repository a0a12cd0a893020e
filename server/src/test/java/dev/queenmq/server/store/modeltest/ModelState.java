package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.admin.RedriveOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Everything that the model knows. */
final class ModelState {

  /** Whose start is recorded: on a queue, or (with a name) on one of its partitions. */
  record StartKey(String queue, String group, String partition) {}

  /** A redrive that may be asked for again. */
  record RequestKey(String queue, String requestId) {}

  Instant now;
  final Map<String, ModelQueue> queues = new TreeMap<>();

  /** After which moment a group starts; empty: at the oldest message. */
  final Map<StartKey, Optional<Instant>> starts = new HashMap<>();

  final Map<ModelDeadLetter.Key, ModelDeadLetter> deadLetters = new HashMap<>();

  /** What redrives answered. */
  final Map<RequestKey, RedriveOutcome> redrives = new HashMap<>();

  private final Map<String, Integer> deletions = new HashMap<>();

  ModelState(Instant now) {
    this.now = now;
  }

  ModelState copy() {
    ModelState copy = new ModelState(now);
    queues.forEach((name, queue) -> copy.queues.put(name, queue.copy()));
    copy.starts.putAll(starts);
    copy.deadLetters.putAll(deadLetters);
    copy.redrives.putAll(redrives);
    copy.deletions.putAll(deletions);
    return copy;
  }

  ModelQueue queueOf(ModelPartition partition) {
    return Objects.requireNonNull(queues.get(partition.queue));
  }

  @Nullable ModelPartition find(String queue, String partition) {
    ModelQueue found = queues.get(queue);
    return found == null ? null : found.partitions.get(partition);
  }

  @Nullable ModelPartition find(UUID id) {
    return partitions().stream().filter(p -> p.id.equals(id)).findFirst().orElse(null);
  }

  List<ModelPartition> partitions() {
    return queues.values().stream().flatMap(queue -> queue.partitions.values().stream()).toList();
  }

  ModelPartition make(String queue, String partition) {
    return queues
        .computeIfAbsent(queue, ModelQueue::new)
        .partitions
        .computeIfAbsent(
            partition, name -> new ModelPartition(queue, name, partitionId(queue, name)));
  }

  /** The id of a partition, given how often its queue and itself were deleted. */
  UUID partitionId(String queue, String partition) {
    String path = queue + "/" + partition;
    String name =
        path + "#" + deletions.getOrDefault(queue, 0) + "#" + deletions.getOrDefault(path, 0);
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  boolean delete(String queue) {
    starts.keySet().removeIf(key -> key.queue().equals(queue));
    deadLetters.keySet().removeIf(key -> key.queue().equals(queue));
    redrives.keySet().removeIf(key -> key.queue().equals(queue));
    deletions.merge(queue, 1, Integer::sum);
    return queues.remove(queue) != null;
  }

  void delete(ModelPartition partition) {
    deadLetters.values().removeIf(letter -> letter.isIn(partition));
    deletions.merge(partition.queue + "/" + partition.name, 1, Integer::sum);
    queueOf(partition).partitions.remove(partition.name);
  }

  /** The group's cursor; one that does not exist is made where the group starts. */
  ModelCursor cursor(ModelPartition partition, String group) {
    return partition.cursors.computeIfAbsent(
        group, name -> partition.newCursor(name, start(partition, name)));
  }

  /** Whether a group has subscribed to a queue, or to a partition of it. */
  boolean hasSubscribed(String queue, String group) {
    return starts.keySet().stream()
        .anyMatch(key -> key.queue().equals(queue) && key.group().equals(group));
  }

  /** Where a group that has no cursor starts. */
  long start(ModelPartition partition, String group) {
    if (group.equals(PopRequest.QUEUE_MODE)) {
      return partition.first;
    }
    Optional<Instant> whole =
        starts.getOrDefault(new StartKey(partition.queue, group, ""), Optional.empty());
    return starts
        .getOrDefault(new StartKey(partition.queue, group, partition.name), whole)
        .map(partition::after)
        .orElse(partition.first);
  }

  void deadLetter(
      ModelPartition partition, String group, long offset, @Nullable String error, int retries) {
    ModelMessage message = partition.at(offset);
    ModelDeadLetter.Key key =
        new ModelDeadLetter.Key(partition.queue, partition.name, group, offset);
    deadLetters.put(
        key, new ModelDeadLetter(key, message.message(), message.createdAt(), error, retries, now));
  }
}
