package dev.queenmq.server.sharedstate;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tier 3: the ids of partitions by name, for this broker only. A hint: the partition may be gone,
 * or another one may have the same name; a caller that finds so drops the id and asks again.
 * Thread-safe, bounded in size and in age.
 */
public final class PartitionIds {

  private record Key(String queue, String partition) {}

  private final AsyncCache<Key, UUID> ids;
  // A queue's entries, so that dropping a queue does not walk over all of them. Names come in
  // before their entry does and go when it goes: there are never more than entries.
  private final Map<String, Set<Key>> byQueue = new ConcurrentHashMap<>();
  private final long maxSize;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder evictions = new LongAdder();

  PartitionIds(LongSupplier clock, long maxSize, Duration timeToLive) {
    this.maxSize = maxSize;
    this.ids =
        Caffeine.newBuilder()
            .maximumSize(maxSize)
            .expireAfterWrite(timeToLive)
            .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.getAsLong()))
            // On the caller's thread: there is little to clean up, and tests see the result at
            // once.
            .executor(Runnable::run)
            .evictionListener(
                (@Nullable Key key, @Nullable UUID id, RemovalCause cause) -> evicted(key))
            .buildAsync();
  }

  /** The id of a partition as far as known. */
  public Optional<UUID> get(String queue, String partition) {
    Optional<UUID> known = known(queue, partition);
    (known.isPresent() ? hits : misses).increment();
    return known;
  }

  /** The same for own use: it does not count as a hit or a miss. */
  Optional<UUID> known(String queue, String partition) {
    CompletableFuture<UUID> found = ids.getIfPresent(new Key(queue, partition));
    return found == null || !found.isDone() || found.isCompletedExceptionally()
        ? Optional.empty()
        : Optional.ofNullable(found.join());
  }

  /**
   * The id of a partition, from the database if it is not known. Concurrent callers share one
   * query. What it does not know is not remembered, nor is a failure. An id that is dropped during
   * the query is returned, but not cached.
   */
  public CompletionStage<Optional<UUID>> get(
      String queue, String partition, Supplier<CompletionStage<Optional<UUID>>> loader) {
    Key key = new Key(queue, partition);
    boolean[] missed = new boolean[1];
    CompletableFuture<UUID> id =
        ids.get(
            key,
            (name, executor) -> {
              missed[0] = true;
              index(key);
              return new Load(Futures.start(loader));
            });
    (missed[0] ? misses : hits).increment();
    if (!(id instanceof Load load)) {
      return id.thenApply(Optional::of);
    }
    return missed[0]
        ? load.answer.whenComplete(
            (found, failure) -> {
              if (failure != null || found.isEmpty()) {
                unindexUnlessReplaced(key, load);
              }
            })
        : load.answer.copy();
  }

  /**
   * A question to the database. Towards the cache, a failure is nothing found, or it would log each
   * one while the database is away; the callers get the failure.
   */
  private static final class Load extends CompletableFuture<UUID> {
    private final CompletableFuture<Optional<UUID>> answer;

    // Null means "nothing found" to the cache.
    @SuppressWarnings("NullAway")
    Load(CompletableFuture<Optional<UUID>> answer) {
      this.answer = answer;
      var unused =
          answer.whenComplete(
              (found, failure) -> complete(failure == null ? found.orElse(null) : null));
    }
  }

  /** Caches an id that a caller has found. */
  public void put(String queue, String partition, UUID id) {
    Key key = new Key(queue, partition);
    ids.put(key, CompletableFuture.completedFuture(id));
    // Only now: what has expired under the same name takes its index with it.
    index(key);
    unindexIfAbsent(key);
  }

  /** Forgets one partition: it is gone, or its id turned out to be wrong. */
  public void drop(String queue, String partition) {
    Key key = new Key(queue, partition);
    ids.synchronous().invalidate(key);
    unindexIfAbsent(key);
  }

  /** Forgets the partitions of a queue. */
  public void dropQueue(String queue) {
    Set<Key> keys = byQueue.remove(queue);
    if (keys != null) {
      ids.synchronous().invalidateAll(keys);
      // Of what was put meanwhile, an entry may have gone and its name stayed.
      keys.forEach(this::unindexIfAbsent);
    }
  }

  /** Forgets all partitions. */
  void dropAll() {
    List.copyOf(byQueue.keySet()).forEach(this::dropQueue);
  }

  private void index(Key key) {
    byQueue.compute(
        key.queue,
        (queue, keys) -> {
          Set<Key> all = keys == null ? ConcurrentHashMap.newKeySet() : keys;
          all.add(key);
          return all;
        });
  }

  private void evicted(@Nullable Key key) {
    evictions.increment();
    if (key != null) {
      unindex(key);
    }
  }

  private void unindexIfAbsent(Key key) {
    if (!ids.asMap().containsKey(key)) {
      unindex(key);
    }
  }

  /** A load that found nothing may still be in the cache when its callers get the result. */
  private void unindexUnlessReplaced(Key key, CompletableFuture<UUID> failed) {
    CompletableFuture<UUID> present = ids.asMap().get(key);
    if (present == null || present == failed) {
      unindex(key);
    }
  }

  private void unindex(Key key) {
    byQueue.computeIfPresent(
        key.queue,
        (queue, keys) -> {
          keys.remove(key);
          return keys.isEmpty() ? null : keys;
        });
  }

  /** How many names are kept beside the entries. */
  int indexed() {
    return byQueue.values().stream().mapToInt(Set::size).sum();
  }

  SharedStateStatistics.PartitionIdCache statistics() {
    ids.synchronous().cleanUp();
    return new SharedStateStatistics.PartitionIdCache(
        ids.synchronous().estimatedSize(), maxSize, hits.sum(), misses.sum(), evictions.sum());
  }
}
