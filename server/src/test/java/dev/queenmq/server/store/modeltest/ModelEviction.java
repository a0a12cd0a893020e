package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.PopRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What eviction does to a queue, by the rules of docs/internals/store.md. */
final class ModelEviction {
  private final ModelState state;
  private final ModelStore.Segments segments;

  ModelEviction(ModelState state, ModelStore.Segments segments) {
    this.state = state;
    this.segments = segments;
  }

  /** How many messages groups lost, and how many were removed that no group reads. */
  long evict(String name) {
    ModelQueue queue = state.queues.get(name);
    int seconds = queue == null ? 0 : Objects.requireNonNull(queue.options.maxWaitTimeSeconds());
    if (queue == null || seconds == 0) {
      return 0;
    }
    Instant limit = state.now.minusSeconds(seconds);
    boolean unnamed =
        queue.partitions.values().stream()
            .anyMatch(partition -> partition.cursors.containsKey(PopRequest.QUEUE_MODE));
    boolean deadLetters = Boolean.TRUE.equals(queue.options.deadLetterQueue());
    long removed = 0;
    for (ModelPartition partition : queue.partitions.values()) {
      List<ModelMessage> stored = partition.stored();
      if (stored.isEmpty() || !stored.get(0).createdAt().isBefore(limit)) {
        continue;
      }
      List<Map.Entry<ModelState.StartKey, Optional<Instant>>> starts = starts(partition);
      if (partition.cursors.isEmpty() && starts.isEmpty() && !unnamed) {
        removed +=
            new ModelAdmin(state)
                .drop(
                    new Step.Drop(0, partition.id, limit, Long.MAX_VALUE, Integer.MAX_VALUE),
                    segments.lengths(partition.id));
        continue;
      }
      // A group that starts early enough to lose something has met the partition by that.
      starts.stream()
          .filter(start -> start.getValue().map(from -> from.isBefore(limit)).orElse(true))
          .forEach(start -> state.cursor(partition, start.getKey().group()));
      if (unnamed) {
        state.cursor(partition, PopRequest.QUEUE_MODE);
      }
      for (Map.Entry<String, ModelCursor> each : partition.cursors.entrySet()) {
        removed += evict(partition, each.getKey(), each.getValue(), limit, deadLetters);
      }
    }
    return removed;
  }

  private List<Map.Entry<ModelState.StartKey, Optional<Instant>>> starts(ModelPartition partition) {
    return state.starts.entrySet().stream()
        .filter(start -> start.getKey().queue().equals(partition.queue))
        .filter(
            start ->
                start.getKey().partition().isEmpty()
                    || start.getKey().partition().equals(partition.name))
        .toList();
  }

  private long evict(
      ModelPartition partition,
      String group,
      ModelCursor cursor,
      Instant limit,
      boolean deadLetters) {
    long removed = 0;
    for (ModelMessage message : partition.open(cursor)) {
      boolean held =
          cursor.isLeased(state.now)
              && cursor.lease.orElseThrow().covers().contains(message.offset());
      if (message.createdAt().isBefore(limit) && !held) {
        if (deadLetters) {
          state.deadLetter(
              partition,
              group,
              message.offset(),
              "Evicted (maxWaitTimeSeconds)",
              cursor.failures.getOrDefault(message.offset(), 0));
        }
        cursor.done(message.offset());
        removed++;
      }
    }
    cursor.settle(partition.first);
    return removed;
  }
}
