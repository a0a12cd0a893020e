package dev.queenmq.server.sharedstate;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tier 1: the settings of queues. A hint: they may be old by as much as the time between two
 * refreshes, and must not decide what the database has to decide. Thread-safe, reads take no lock.
 *
 * <p>The higher version wins. Who is told of a deletion keeps a tombstone for a while, so that an
 * older change that arrives late does not bring the queue back. What the database says in a full
 * refresh wins over all that was known before the refresh began, so that no error stays.
 */
public final class QueueSettingsCache<S> {

  /** Is told what changed, by whichever thread brought the change. */
  interface Changes {
    void changed(String queue);

    void deleted(String queue);
  }

  /** A version above all: nothing from elsewhere gets past such a tombstone. */
  private static final long UNKNOWN_VERSION = Long.MAX_VALUE;

  private sealed interface Entry<S> {
    long version();
  }

  private record Known<S>(S settings, long version, long writtenAt) implements Entry<S> {}

  private record Tombstone<S>(long version, long until) implements Entry<S> {}

  private final Map<String, Entry<S>> entries = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Optional<S>>> loading = new ConcurrentHashMap<>();
  private final LongSupplier clock;
  private final long tombstoneMillis;
  private final Changes changes;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  QueueSettingsCache(LongSupplier clock, long tombstoneMillis, Changes changes) {
    this.clock = clock;
    this.tombstoneMillis = tombstoneMillis;
    this.changes = changes;
  }

  /** The settings of a queue as far as known. */
  public Optional<S> get(String queue) {
    if (entries.get(queue) instanceof Known<S> known) {
      hits.increment();
      return Optional.of(known.settings);
    }
    misses.increment();
    return Optional.empty();
  }

  /**
   * The settings of a queue, from the database if they are not known. However many ask at once, the
   * database is asked once. What it does not know is not remembered, nor is a failure.
   */
  public CompletionStage<Optional<S>> get(
      String queue, Function<String, CompletionStage<Optional<Versioned<S>>>> loader) {
    Optional<S> known = get(queue);
    if (known.isPresent()) {
      return CompletableFuture.completedFuture(known);
    }
    CompletableFuture<Optional<S>> mine = new CompletableFuture<>();
    CompletableFuture<Optional<S>> others = loading.putIfAbsent(queue, mine);
    if (others != null) {
      return others;
    }
    var unused =
        Futures.start(() -> loader.apply(queue))
            .whenComplete(
                (loaded, failure) -> {
                  loading.remove(queue, mine);
                  if (failure != null) {
                    mine.completeExceptionally(failure);
                    return;
                  }
                  loaded.ifPresent(found -> write(queue, found.settings(), found.version(), false));
                  mine.complete(loaded.map(Versioned::settings));
                });
    return mine;
  }

  /** The version that is known of a queue. */
  public OptionalLong version(String queue) {
    return entries.get(queue) instanceof Known<S> known
        ? OptionalLong.of(known.version)
        : OptionalLong.empty();
  }

  /** Settings that came from another broker: remembered if they are newer. */
  void set(String queue, S settings, long version) {
    if (write(queue, settings, version, false)) {
      changes.changed(queue);
    }
  }

  /**
   * Settings that this broker has just committed: it knows better than an unversioned deletion, and
   * who changed them need not be told.
   */
  void setHere(String queue, S settings, long version) {
    write(queue, settings, version, true);
  }

  private boolean write(String queue, S settings, long version, boolean here) {
    long now = clock.getAsLong();
    boolean[] written = new boolean[1];
    entries.compute(
        queue,
        (name, entry) -> {
          if (entry != null && stands(entry, version, here, now)) {
            return entry;
          }
          written[0] = true;
          return new Known<>(settings, version, now);
        });
    return written[0];
  }

  private boolean stands(Entry<S> entry, long version, boolean here, long now) {
    if (entry instanceof Tombstone<S> tombstone) {
      boolean over = tombstone.until <= now || (here && tombstone.version == UNKNOWN_VERSION);
      return !over && tombstone.version >= version;
    }
    return entry.version() >= version;
  }

  /** The queue changed to something unknown: whoever asks has to find out. */
  void outdated(String queue, long version) {
    if (bury(queue, version - 1)) {
      changes.changed(queue);
    }
  }

  /** Another broker says that the queue is gone; without a version, whatever is known of it. */
  void delete(String queue, OptionalLong version) {
    if (bury(queue, version.orElse(UNKNOWN_VERSION))) {
      changes.deleted(queue);
    }
  }

  /** This broker has deleted the queue; who did that need not be told. */
  void deleteHere(String queue, OptionalLong version) {
    bury(queue, version.orElse(UNKNOWN_VERSION));
  }

  private boolean bury(String queue, long version) {
    long until = clock.getAsLong() + tombstoneMillis;
    boolean[] buried = new boolean[1];
    entries.compute(
        queue,
        (name, entry) -> {
          if (entry != null && entry.version() > version) {
            return entry;
          }
          buried[0] = true;
          return new Tombstone<>(version, until);
        });
    return buried[0];
  }

  /**
   * Takes over what the database says of all queues. A failure changes nothing.
   *
   * @param loader all queues by name
   */
  public CompletionStage<Void> refresh(
      Supplier<CompletionStage<Map<String, Versioned<S>>>> loader) {
    long begun = clock.getAsLong();
    return Futures.start(loader).thenAccept(queues -> replace(queues, begun));
  }

  private void replace(Map<String, Versioned<S>> queues, long begun) {
    long now = clock.getAsLong();
    queues.forEach((queue, loaded) -> refreshed(queue, loaded, begun, now));
    Set<String> missing = new HashSet<>(entries.keySet());
    missing.removeAll(queues.keySet());
    for (String queue : missing) {
      if (removeIfOlder(queue, begun)) {
        changes.deleted(queue);
      }
    }
  }

  private void refreshed(String queue, Versioned<S> loaded, long begun, long now) {
    boolean[] changed = new boolean[1];
    entries.compute(
        queue,
        (name, entry) -> {
          boolean newer = entry instanceof Known<S> known && known.writtenAt >= begun;
          if (entry != null
              && (newer || entry instanceof Tombstone<S>)
              && stands(entry, loaded.version(), false, now)) {
            return entry;
          }
          changed[0] = !same(entry, loaded);
          return new Known<>(loaded.settings(), loaded.version(), now);
        });
    if (changed[0]) {
      changes.changed(queue);
    }
  }

  private static <S> boolean same(@Nullable Entry<S> entry, Versioned<S> loaded) {
    return entry instanceof Known<S> known && known.settings.equals(loaded.settings());
  }

  private boolean removeIfOlder(String queue, long begun) {
    Entry<S> entry = entries.get(queue);
    return entry instanceof Known<S> known
        && known.writtenAt < begun
        && entries.remove(queue, entry);
  }

  /** Removes tombstones that have stood long enough. */
  void expire() {
    long now = clock.getAsLong();
    entries
        .values()
        .removeIf(entry -> entry instanceof Tombstone<S> tombstone && tombstone.until <= now);
  }

  SharedStateStatistics.QueueConfigCache statistics() {
    long size = entries.values().stream().filter(entry -> entry instanceof Known<S>).count();
    return new SharedStateStatistics.QueueConfigCache(size, hits.sum(), misses.sum());
  }
}
