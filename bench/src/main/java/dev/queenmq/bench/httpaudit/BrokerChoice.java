package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.broker.BrokerUrl;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Which broker somebody speaks with: at first any, and after trouble another one. Who was told when
 * to come back does not come earlier if another broker can be asked. Who has a home goes back there
 * then. For one event loop.
 */
final class BrokerChoice {
  private final List<BrokerUrl> urls;
  private final long[] notBefore;
  private final RandomGenerator random;
  private final boolean atHome;
  private final int home;
  private int current;

  /** At first the one with this number, to which one with a home goes back. */
  BrokerChoice(List<BrokerUrl> urls, int first, boolean atHome, RandomGenerator random) {
    this.urls = List.copyOf(urls);
    this.random = random;
    notBefore = new long[urls.size()];
    long now = System.nanoTime();
    for (int i = 0; i < notBefore.length; i++) {
      notBefore[i] = now;
    }
    home = first;
    this.atHome = atHome;
    current = home;
  }

  BrokerUrl current() {
    if (atHome && current != home && notBefore[home] - System.nanoTime() <= 0) {
      current = home;
    }
    return urls.get(current);
  }

  /** Whether there is any other. */
  boolean isFree() {
    return urls.size() > 1;
  }

  /** Takes another one, and this one not before so long. */
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
