package dev.queenmq.bench.torture;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.audit.AuditRun;
import dev.queenmq.bench.audit.ledger.Count;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** How fast messages went, at any time of the last minutes. Looks on a thread of its own. */
final class Sampler implements AutoCloseable {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
  private static final int KEPT = 5 * 60 * 20;
  private static final double NANOS = 1e9;

  private record Sample(long at, long count) {}

  private final AuditRun load;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private final Thread thread = new Thread(this::run, "sampler");
  private volatile boolean over;

  Sampler(AuditRun load) {
    this.load = load;
    look();
    thread.setDaemon(true);
    thread.start();
  }

  /** Messages a second that were stored or dealt with between these moments. */
  synchronized double rate(long from, long to) {
    Sample first = null;
    Sample last = null;
    for (Sample sample : samples) {
      if (sample.at >= from && sample.at <= to) {
        first = first == null ? sample : first;
        last = sample;
      }
    }
    return first == null || last == null || first.at == last.at
        ? 0
        : (last.count - first.count) * NANOS / (last.at - first.at);
  }

  private void run() {
    while (!over) {
      look();
      Blocking.sleep(POLL_INTERVAL);
    }
  }

  private synchronized void look() {
    samples.add(
        new Sample(
            System.nanoTime(),
            load.count(Count.PUSHED) + load.count(Count.ACKED) + load.count(Count.DEAD)));
    if (samples.size() > KEPT) {
      samples.remove();
    }
  }

  @Override
  public void close() {
    over = true;
  }
}
