package dev.queenmq.bench.audit;

import dev.queenmq.bench.broker.BrokerUrl;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The broker that a client uses: at first any, after a failure another one, and as {@link
 * ClientBehaviour.Choosing} says. A client that got a time to retry does not come earlier if
 * another broker can be asked. For one event loop.
 */
final class BrokerChoice {
  private final List<BrokerUrl> urls;
  private final long[] notBefore;
  private final RandomGenerator random;
  private final ClientBehaviour.Choosing choosing;
  private final int home;
  private int current;

  /** At first the one with this number, to which one with a home goes back. */
  BrokerChoice(
      List<BrokerUrl> urls, int first, ClientBehaviour.Choosing choosing, RandomGenerator random) {
    this.urls = List.copyOf(urls);
    this.random = random;
    notBefore = new long[urls.size()];
    long now = System.nanoTime();
    for (int i = 0; i < notBefore.length; i++) {
      notBefore[i] = now;
    }
    home = first;
    this.choosing = choosing;
    current = home;
  }

  /** The one for the next request. */
  BrokerUrl next() {
    long now = System.nanoTime();
    switch (choosing) {
      case STICKY -> {}
      case AT_HOME -> {
        if (notBefore[home] - now <= 0) {
          current = home;
        }
      }
      case RANDOM -> current = rested(random.nextInt(urls.size()), now);
    }
    return current();
  }

  /** The one of the last request, or after trouble another one. */
  BrokerUrl current() {
    return urls.get(current);
  }

  /** This one or the next that need not rest; this one if all have to. */
  private int rested(int first, long now) {
    for (int i = 0; i < urls.size(); i++) {
      int each = (first + i) % urls.size();
      if (notBefore[each] - now <= 0) {
        return each;
      }
    }
    return first;
  }

  /** Whether there is any other. */
  boolean isFree() {
    return urls.size() > 1;
  }

  /** Takes another one, and leaves this one out for a time. */
  void elsewhere(Duration rest) {
    long now = System.nanoTime();
    notBefore[current] = now + rest.toNanos();
    int next = (current + 1 + random.nextInt(urls.size() - 1)) % urls.size();
    for (int i = 0; i < urls.size() && (next == current || notBefore[next] - now > 0); i++) {
      next = (next + 1) % urls.size();
    }
    current = next;
  }

  /** How long to wait for the current one; none but if all others are to rest as well. */
  Duration rest() {
    long nanos = notBefore[current] - System.nanoTime();
    return nanos > 0 ? Duration.ofNanos(nanos) : Duration.ZERO;
  }
}
