package dev.queenmq.server.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** A partition of the model: every message it ever had, by offset. */
final class ModelPartition {
  final String queue;
  final String name;
  final UUID id;
  final List<ModelMessage> messages = new ArrayList<>();
  final Map<String, ModelCursor> cursors = new TreeMap<>();

  /** Below it, retention has removed the messages. */
  long first;

  ModelPartition(String queue, String name, UUID id) {
    this.queue = queue;
    this.name = name;
    this.id = id;
  }

  ModelPartition copy() {
    ModelPartition copy = new ModelPartition(queue, name, id);
    copy.messages.addAll(messages);
    cursors.forEach((group, cursor) -> copy.cursors.put(group, cursor.copy()));
    copy.first = first;
    return copy;
  }

  long next() {
    return messages.size();
  }

  ModelMessage at(long offset) {
    return messages.get((int) offset);
  }

  /** The messages that are stored. */
  List<ModelMessage> stored() {
    return messages.subList((int) first, messages.size());
  }

  Optional<Instant> newest() {
    return messages.isEmpty() ? Optional.empty() : Optional.of(at(next() - 1).createdAt());
  }

  /** The first stored message that was created after a moment. */
  long after(Instant moment) {
    for (ModelMessage message : stored()) {
      if (message.createdAt().isAfter(moment)) {
        return message.offset();
      }
    }
    return next();
  }

  /** What a cursor has before it. */
  List<ModelMessage> open(ModelCursor cursor) {
    return stored().stream().filter(message -> !cursor.isDone(message.offset())).toList();
  }

  void removeBelow(long offset) {
    first = offset;
    cursors.values().forEach(cursor -> cursor.settle(first));
  }
}
