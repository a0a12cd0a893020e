package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.EndedLease;
import dev.queenmq.server.model.Message;
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

  /** Which groups still see messages that others do not see; none, if it was deleted. */
  final Map<Long, Optional<String>> hidden = new TreeMap<>();

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
    copy.hidden.putAll(hidden);
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

  /** Adds a message and answers its offset. */
  long append(Message message, Instant now) {
    Instant createdAt = newest().filter(last -> last.isAfter(now)).orElse(now);
    messages.add(new ModelMessage(next(), message, createdAt));
    return next() - 1;
  }

  /** A cursor of a group that starts at an offset: what is hidden from the group is done. */
  ModelCursor newCursor(String group, long start) {
    ModelCursor cursor = new ModelCursor(start);
    hidden.forEach(
        (offset, only) -> {
          if (offset >= start && !only.equals(Optional.of(group))) {
            cursor.done(offset);
          }
        });
    cursor.settle(first);
    return cursor;
  }

  /** Hides messages from all groups but one, or from all; answers the leases that end with it. */
  List<EndedLease> hide(Map<Long, Optional<String>> offsets) {
    hidden.putAll(offsets);
    List<EndedLease> ended = new ArrayList<>();
    cursors.forEach(
        (group, cursor) -> {
          List<Long> done =
              offsets.entrySet().stream()
                  .filter(each -> !each.getValue().equals(Optional.of(group)))
                  .map(Map.Entry::getKey)
                  .toList();
          if (!done.isEmpty()) {
            done.forEach(cursor::done);
            cursor.settle(first);
            if (cursor.lease.isPresent() && cursor.open() == 0) {
              cursor.answeredCompletely();
              ended.add(new EndedLease(id, name, group));
            }
          }
        });
    return ended;
  }

  /** What a cursor has before it. */
  List<ModelMessage> open(ModelCursor cursor) {
    return stored().stream().filter(message -> !cursor.isDone(message.offset())).toList();
  }

  void removeBelow(long offset) {
    first = offset;
    hidden.keySet().removeIf(each -> each < first);
    cursors.values().forEach(cursor -> cursor.settle(first));
  }
}
