package dev.queenmq.server.sharedstate;

import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tier 1: notices that a queue was changed or deleted at another broker, by the queue's version.
 * Packets report it at once, and the next refresh reads it from the database, so that a lost packet
 * only delays it. Thread-safe.
 *
 * <p>Settings themselves are not kept: the procedures read them in the statement that needs them.
 *
 * <p>The higher version wins. A deletion leaves a tombstone for a while, so that an older change
 * that arrives late does not bring the queue back. What the database says in a refresh wins over
 * all that was known before the refresh began. So no error stays, and a queue that only a packet
 * has named is forgotten with the next refresh.
 */
final class QueueVersions {

  /** Called when a queue has changed, on the thread that received the change. */
  interface Changes {
    void changed(String queue);

    void deleted(String queue);
  }

  /** A version above all: nothing from elsewhere gets past such a tombstone. */
  private static final long UNKNOWN_VERSION = Long.MAX_VALUE;

  private sealed interface Entry {
    long version();
  }

  private record Known(long version, long writtenAt) implements Entry {}

  private record Tombstone(long version, long until) implements Entry {}

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final LongSupplier clock;
  private final long tombstoneMillis;
  private final Changes changes;

  QueueVersions(LongSupplier clock, long tombstoneMillis, Changes changes) {
    this.clock = clock;
    this.tombstoneMillis = tombstoneMillis;
    this.changes = changes;
  }

  /** The version that is known of a queue. */
  OptionalLong version(String queue) {
    return entries.get(queue) instanceof Known known
        ? OptionalLong.of(known.version)
        : OptionalLong.empty();
  }

  /** How many queues are known. */
  long size() {
    return entries.values().stream().filter(entry -> entry instanceof Known).count();
  }

  /**
   * Another broker reports that it has created or changed a queue; counts if the version is higher.
   */
  void changed(String queue, long version) {
    if (write(queue, version, false)) {
      changes.changed(queue);
    }
  }

  /**
   * This broker has changed a queue. That wins over a deletion without a version, and is not
   * reported to the listener, who caused it.
   */
  void changedHere(String queue, long version) {
    write(queue, version, true);
  }

  private boolean write(String queue, long version, boolean here) {
    long now = clock.getAsLong();
    boolean[] written = new boolean[1];
    entries.compute(
        queue,
        (name, entry) -> {
          if (entry != null && stands(entry, version, here, now)) {
            return entry;
          }
          written[0] = true;
          return new Known(version, now);
        });
    return written[0];
  }

  private static boolean stands(Entry entry, long version, boolean here, long now) {
    if (entry instanceof Tombstone tombstone) {
      boolean over = tombstone.until <= now || (here && tombstone.version == UNKNOWN_VERSION);
      return !over && tombstone.version >= version;
    }
    return entry.version() >= version;
  }

  /** Another broker reports that a queue is gone; without a version, any version of it. */
  void deleted(String queue, OptionalLong version) {
    if (putTombstone(queue, version)) {
      changes.deleted(queue);
    }
  }

  /** This broker has deleted a queue; not reported to the listener, who caused it. */
  void deletedHere(String queue, OptionalLong version) {
    putTombstone(queue, version);
  }

  private boolean putTombstone(String queue, OptionalLong at) {
    long version = at.orElse(UNKNOWN_VERSION);
    long until = clock.getAsLong() + tombstoneMillis;
    boolean[] changed = new boolean[1];
    entries.compute(
        queue,
        (name, entry) -> {
          if (entry != null && entry.version() > version) {
            return entry;
          }
          changed[0] = true;
          return new Tombstone(version, until);
        });
    return changed[0];
  }

  /**
   * Takes over what the database says of all queues. A failure changes nothing.
   *
   * @param loader the versions of all queues by name
   */
  CompletionStage<Void> refresh(Supplier<CompletionStage<Map<String, Long>>> loader) {
    long begun = clock.getAsLong();
    return Futures.start(loader).thenAccept(versions -> replace(versions, begun));
  }

  private void replace(Map<String, Long> versions, long begun) {
    long now = clock.getAsLong();
    versions.forEach((queue, version) -> refreshed(queue, version, begun, now));
    Set<String> missing = new HashSet<>(entries.keySet());
    missing.removeAll(versions.keySet());
    for (String queue : missing) {
      if (removeIfOlder(queue, begun)) {
        changes.deleted(queue);
      }
    }
  }

  private void refreshed(String queue, long version, long begun, long now) {
    boolean[] changed = new boolean[1];
    entries.compute(
        queue,
        (name, entry) -> {
          // What was known before the query does not count, however high its version.
          boolean older = entry instanceof Known known && known.writtenAt < begun;
          if (entry != null && !older && stands(entry, version, false, now)) {
            return entry;
          }
          changed[0] = !(entry instanceof Known known && known.version == version);
          return new Known(version, now);
        });
    if (changed[0]) {
      changes.changed(queue);
    }
  }

  private boolean removeIfOlder(String queue, long begun) {
    Entry entry = entries.get(queue);
    return entry instanceof Known known && known.writtenAt < begun && entries.remove(queue, entry);
  }

  /** Forgets all of them: another database counts from elsewhere. */
  void forgetAll() {
    entries.clear();
  }

  /** Removes tombstones that have stood long enough. */
  void expire() {
    long now = clock.getAsLong();
    entries
        .values()
        .removeIf(entry -> entry instanceof Tombstone tombstone && tombstone.until <= now);
  }
}
