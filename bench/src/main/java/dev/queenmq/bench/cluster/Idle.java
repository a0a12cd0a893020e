package dev.queenmq.bench.cluster;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import java.time.Duration;
import java.util.List;

/** What brokers send and query while no consumer waits: without pushes, or with some. */
final class Idle {
  private final Cluster cluster;
  private final EventLoop loop;
  private final int rate;
  private final Pushes pushes;

  Idle(Cluster cluster, EventLoop loop, int rate) {
    this.cluster = cluster;
    this.loop = loop;
    this.rate = rate;
    pushes = new Pushes(loop, cluster, rate, List.of("unread-" + rate));
  }

  void run(Duration length, Figures figures) {
    pushes.start();
    Blocking.sleep(Duration.ofSeconds(2));
    Usage before = Usage.of(cluster);
    long pushedBefore = loop.on(pushes::pushed);
    long start = System.nanoTime();
    Blocking.sleep(length);
    Usage used = Usage.of(cluster).since(before);
    double seconds = (System.nanoTime() - start) / 1e9;
    long pushed = loop.on(pushes::pushed) - pushedBefore;
    pushes.close();
    String name = rate == 0 ? "idle" : "pushes without consumers";
    figures.add(name + ": transactions/s", used.transactions() / seconds);
    figures.add(name + ": packets/s", used.packets() / seconds);
    if (pushed > 0) {
      figures.add(name + ": transactions per pushed", (double) used.transactions() / pushed);
      figures.add(name + ": packets per pushed", (double) used.packets() / pushed);
    }
    used.shared()
        .figures()
        .forEach((path, more) -> figures.add(name + ": " + path + "/s", more / seconds));
  }
}
