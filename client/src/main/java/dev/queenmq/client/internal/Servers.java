package dev.queenmq.client.internal;

import dev.queenmq.client.Routing;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The brokers, and which of them failed lately. A broker that failed is left out for a while and
 * then tried again by the next request; if all failed, the preferred one is tried. There are no
 * probes: a broker that is not used costs nothing.
 */
final class Servers {
  private final List<URI> urls;
  private final Routing routing;
  private final long restNanos;
  private final LongSupplier nanoTime;
  private final HashRing ring;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger session = new AtomicInteger();

  /** When each failed, as a nano time shifted by one so that 0 means never. */
  private final AtomicLongArray failedAt;

  /**
   * @param rest how long a server is left out after a failure
   */
  Servers(List<URI> urls, Routing routing, Duration rest, LongSupplier nanoTime) {
    this.urls = List.copyOf(urls);
    this.routing = routing;
    this.restNanos = rest.toNanos();
    this.nanoTime = nanoTime;
    this.ring = new HashRing(this.urls);
    this.failedAt = new AtomicLongArray(this.urls.size());
  }

  URI url(int server) {
    return urls.get(server);
  }

  /**
   * The server for an attempt.
   *
   * @param affinity null for a request that may go anywhere
   * @param tried by earlier attempts of the same request; avoided if another one is healthy
   */
  int choose(@Nullable String affinity, Set<Integer> tried) {
    List<Integer> order = order(affinity);
    for (int server : order) {
      if (!tried.contains(server) && isHealthy(server)) {
        return stay(server);
      }
    }
    for (int server : order) {
      if (isHealthy(server)) {
        return stay(server);
      }
    }
    for (int server : order) {
      if (!tried.contains(server)) {
        return server;
      }
    }
    return order.get(0);
  }

  /** The server that a key belongs to while all are healthy; 0 if keys do not matter. */
  int home(String affinity) {
    return urls.size() > 1 && routing == Routing.AFFINITY ? ring.order(affinity).get(0) : 0;
  }

  /** Whether a server that was not tried yet is healthy. */
  boolean hasOther(Set<Integer> tried) {
    return IntStream.range(0, urls.size())
        .anyMatch(server -> !tried.contains(server) && isHealthy(server));
  }

  void failed(int server) {
    failedAt.set(server, nanoTime.getAsLong() | 1);
  }

  void succeeded(int server) {
    if (failedAt.get(server) != 0) {
      failedAt.set(server, 0);
    }
  }

  private boolean isHealthy(int server) {
    long at = failedAt.get(server);
    return at == 0 || nanoTime.getAsLong() - at >= restNanos;
  }

  private int stay(int server) {
    if (routing == Routing.SESSION) {
      session.set(server);
    }
    return server;
  }

  private List<Integer> order(@Nullable String affinity) {
    if (urls.size() == 1) {
      return List.of(0);
    }
    return switch (routing) {
      case AFFINITY -> affinity == null ? from(next.getAndIncrement()) : ring.order(affinity);
      case ROUND_ROBIN -> from(next.getAndIncrement());
      case SESSION -> from(session.get());
    };
  }

  private List<Integer> from(int first) {
    int count = urls.size();
    return IntStream.range(0, count).mapToObj(i -> Math.floorMod(first + i, count)).toList();
  }
}
