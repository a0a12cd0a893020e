package dev.queenmq.server.sharedstate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tier 4: which partitions other brokers seem to lease. A hint: it may spare a question, it never
 * answers one. It counts for a fifth of the lease only, not if its holder is dead, and one time in
 * a hundred not at all, so that what is wrong is found out. Thread-safe, bounded.
 */
public final class LeaseHints {
  /** A hint counts for this part of a lease, so that a lost release does little harm. */
  private static final int PART_OF_LEASE = 5;

  private static final long MAX_TTL_MILLIS = 600_000;
  private static final double DOUBT = 0.01;

  private record Key(UUID partitionId, String group) {}

  private record Hint(String server, String queue, Duration timeToLive) {}

  private final Cache<Key, Hint> hints;
  private final String self;
  private final Predicate<String> alive;
  private final DoubleSupplier random;
  private final LongAdder used = new LongAdder();
  private final LongAdder right = new LongAdder();
  private final LongAdder wrong = new LongAdder();

  /**
   * @param random from 0 to below 1
   */
  LeaseHints(
      LongSupplier clock,
      DoubleSupplier random,
      String self,
      Predicate<String> alive,
      long maxSize) {
    this.self = self;
    this.alive = alive;
    this.random = random;
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

  /**
   * Whether it is not worth asking for a partition now. Not to be asked twice for one question: it
   * doubts at random.
   */
  public boolean likelyLeasedElsewhere(UUID partitionId, String group) {
    if (valid(new Key(partitionId, group)).isEmpty() || random.getAsDouble() < DOUBT) {
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

  /** The store says that another one has the lease: if a hint said so, it was right. */
  void refused(UUID partitionId, String group) {
    if (valid(new Key(partitionId, group)).isPresent()) {
      right.increment();
    }
  }

  /** A broker says that it leases a partition. */
  void acquired(String server, String queue, UUID partitionId, String group, long ttlMillis) {
    long millis = Math.min(MAX_TTL_MILLIS, ttlMillis);
    if (millis > 0 && !server.equals(self)) {
      hints.put(new Key(partitionId, group), new Hint(server, queue, Duration.ofMillis(millis)));
    }
  }

  /** A broker says that it leases a partition no more; what others said stands. */
  void released(String server, UUID partitionId, String group) {
    hints
        .asMap()
        .computeIfPresent(
            new Key(partitionId, group), (key, hint) -> hint.server.equals(server) ? null : hint);
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
