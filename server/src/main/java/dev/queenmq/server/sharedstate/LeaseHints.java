package dev.queenmq.server.sharedstate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tier 4: which partitions other brokers seem to lease. Thread-safe, bounded.
 *
 * <p>A hint orders the candidates of a question: a partition that has one is tried after the
 * others. It never puts a partition off, so a wrong hint costs at most a worse order.
 *
 * <p>A hint is dropped when any broker reports the end of the lease: a lease may be acked at any
 * broker, without notice to the one that granted it. It is dropped as well after a fifth of the
 * lease, and when its holder is dead.
 */
public final class LeaseHints {
  /** A hint counts for this part of a lease, so that a lost release does little harm. */
  private static final int PART_OF_LEASE = 5;

  private static final long MAX_TTL_MILLIS = 600_000;

  private record Key(UUID partitionId, String group) {}

  private record Hint(String server, String queue, Duration timeToLive) {}

  private final Cache<Key, Hint> hints;
  private final String self;
  private final Predicate<String> alive;
  private final LongAdder used = new LongAdder();
  private final LongAdder right = new LongAdder();
  private final LongAdder wrong = new LongAdder();

  LeaseHints(LongSupplier clock, String self, Predicate<String> alive, long maxSize) {
    this.self = self;
    this.alive = alive;
    this.hints =
        Caffeine.newBuilder()
            .maximumSize(maxSize)
            .expireAfter(Expiry.writing((Key key, Hint hint) -> hint.timeToLive))
            .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.getAsLong()))
            .executor(Runnable::run)
            .build();
  }

  /** How long a hint on such a lease counts. */
  static long ttlMillis(Duration lease) {
    return Math.min(MAX_TTL_MILLIS, lease.toMillis() / PART_OF_LEASE);
  }

  /** Whether a partition should be tried after the others of the same question. */
  public boolean likelyLeasedElsewhere(UUID partitionId, String group) {
    if (valid(new Key(partitionId, group)).isEmpty()) {
      return false;
    }
    used.increment();
    return true;
  }

  /** The store granted a lease: if a hint said otherwise, it was wrong. */
  void granted(UUID partitionId, String group) {
    Key key = new Key(partitionId, group);
    if (valid(key).isPresent()) {
      wrong.increment();
      hints.invalidate(key);
    }
  }

  /** The store reports that another consumer has the lease: a hint on it was right. */
  void refused(UUID partitionId, String group) {
    if (valid(new Key(partitionId, group)).isPresent()) {
      right.increment();
    }
  }

  /** A broker reports that it has leased a partition. */
  void acquired(String server, String queue, UUID partitionId, String group, long ttlMillis) {
    long millis = Math.min(MAX_TTL_MILLIS, ttlMillis);
    if (millis > 0 && !server.equals(self)) {
      hints.put(new Key(partitionId, group), new Hint(server, queue, Duration.ofMillis(millis)));
    }
  }

  /**
   * A broker reports that a lease has ended. The hint is dropped whichever broker it names: a late
   * report about an earlier lease may drop the hint on the present one, which costs one futile
   * query, while a hint that stays too long costs one for every query.
   */
  void released(UUID partitionId, String group) {
    hints.invalidate(new Key(partitionId, group));
  }

  void dropAll() {
    hints.invalidateAll();
  }

  void dropServer(String server) {
    hints.asMap().values().removeIf(hint -> hint.server.equals(server));
  }

  void dropQueue(String queue) {
    hints.asMap().values().removeIf(hint -> hint.queue.equals(queue));
  }

  void dropGroup(String queue, String group) {
    hints
        .asMap()
        .entrySet()
        .removeIf(each -> each.getKey().group.equals(group) && each.getValue().queue.equals(queue));
  }

  void dropPartition(UUID partitionId) {
    hints.asMap().keySet().removeIf(key -> key.partitionId.equals(partitionId));
  }

  private Optional<Hint> valid(Key key) {
    @Nullable Hint hint = hints.getIfPresent(key);
    if (hint != null && !alive.test(hint.server)) {
      hints.asMap().remove(key, hint);
      hint = null;
    }
    return Optional.ofNullable(hint);
  }

  SharedStateStatistics.Leases statistics() {
    hints.cleanUp();
    return new SharedStateStatistics.Leases(
        hints.estimatedSize(), used.sum(), right.sum(), wrong.sum());
  }
}
