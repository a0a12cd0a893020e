package dev.queenmq.server.sharedstate;

import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintAcquired;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintReleased;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Hints about our leases that are to be sent. Thread-safe.
 *
 * <p>A lease that ends before its hint was sent is dropped: while consumers are quick, their leases
 * cost no packet.
 */
final class LeaseHintOutbox {
  /** More than that between two flushes is not sent: receivers do not keep as many hints. */
  private static final int MAX_PENDING = 10_000;

  private record Key(UUID partitionId, String group) {}

  /**
   * The latest that happened to a lease.
   *
   * @param ttlMillis 0 if it was released
   * @param announced whether others may know of an acquisition before
   */
  private record Pending(String queue, long ttlMillis, boolean announced) {
    boolean released() {
      return ttlMillis == 0;
    }
  }

  private record Topic(String queue, String group, long ttlMillis) {}

  private final Map<Key, Pending> pending = new ConcurrentHashMap<>();
  private final LongAdder untold = new LongAdder();

  void acquired(String queue, UUID partitionId, String group, long ttlMillis) {
    if (ttlMillis <= 0 || pending.size() >= MAX_PENDING) {
      untold.increment();
      return;
    }
    pending.compute(
        new Key(partitionId, group),
        (key, last) -> new Pending(queue, ttlMillis, last != null && last.announced));
  }

  void released(String queue, UUID partitionId, String group) {
    if (pending.size() >= MAX_PENDING) {
      untold.increment();
      return;
    }
    pending.compute(
        new Key(partitionId, group),
        (key, last) -> {
          if (last != null && !last.released() && !last.announced) {
            untold.increment();
            return null;
          }
          return new Pending(queue, 0, true);
        });
  }

  /**
   * Another broker reports that a lease has ended. If it is ours and its hint was not sent yet, the
   * hint is dropped. The end of a lease is still sent.
   */
  void endedElsewhere(UUID partitionId, String group) {
    pending.computeIfPresent(
        new Key(partitionId, group),
        (key, last) -> {
          if (last.released()) {
            return last;
          }
          untold.increment();
          return last.announced ? new Pending(last.queue, 0, true) : null;
        });
  }

  void dropAll() {
    pending.clear();
  }

  void dropQueue(String queue) {
    pending.values().removeIf(each -> each.queue.equals(queue));
  }

  /** Removes and returns all hints. */
  List<SyncMessage> drain() {
    if (pending.isEmpty()) {
      return List.of();
    }
    Map<Topic, List<UUID>> topics = new LinkedHashMap<>();
    pending.forEach(
        (key, each) -> {
          if (pending.remove(key, each)) {
            topics
                .computeIfAbsent(
                    new Topic(each.queue, key.group, each.ttlMillis), topic -> new ArrayList<>())
                .add(key.partitionId);
          }
        });
    List<SyncMessage> messages = new ArrayList<>();
    topics.forEach(
        (topic, ids) ->
            messages.add(
                topic.ttlMillis == 0
                    ? new LeaseHintReleased(topic.queue, topic.group, ids)
                    : new LeaseHintAcquired(topic.queue, topic.group, topic.ttlMillis, ids)));
    return messages;
  }

  /** How many leases needed no hint. */
  long untold() {
    return untold.sum();
  }
}
