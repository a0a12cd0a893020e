package dev.queenmq.bench.cluster;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.http.ClosedLoop;
import dev.queenmq.bench.http.Meter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * What messages cost at a fixed rate, pushed to all brokers in turn. Half of the queues have one
 * consumer, at one of the brokers; the others have one at each. All of them wait, then acknowledge.
 */
final class Load {
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final int QUEUES = 20;
  private static final String QUERY = "batch=10&wait=true&timeout=5000";

  private final Cluster cluster;
  private final EventLoop loop;
  private final Pushes pushes;
  private final List<String> queues =
      IntStream.range(0, QUEUES).mapToObj(i -> "load-" + i).toList();
  private final List<BrokerClient> clients;
  private final Histogram latency = new Histogram(3);
  private boolean recording;
  private long delivered;
  private long pops;

  Load(Cluster cluster, EventLoop loop, int rate) {
    this.cluster = cluster;
    this.loop = loop;
    pushes = new Pushes(loop, cluster, rate, queues);
    clients = cluster.clients(loop, QUEUES);
  }

  void run(Duration length, Figures figures) {
    Meter meter = new Meter();
    Usage used;
    Counts counts;
    try (ClosedLoop consumers = new ClosedLoop(meter)) {
      consume(consumers);
      pushes.start();
      Blocking.sleep(WARM_UP);
      loop.on(() -> recording = true);
      Usage before = Usage.of(cluster);
      Counts countsBefore = loop.on(this::counts);
      Blocking.sleep(length);
      used = Usage.of(cluster).since(before);
      counts = loop.on(this::counts).since(countsBefore);
      pushes.stop();
    }
    pushes.close();
    clients.forEach(client -> Blocking.get(client.close()));
    report(figures, used, counts, meter.errors());
  }

  private record Counts(long pushed, long delivered, long pops, long failed) {
    Counts since(Counts before) {
      return new Counts(
          pushed - before.pushed,
          delivered - before.delivered,
          pops - before.pops,
          failed - before.failed);
    }
  }

  private Counts counts() {
    return new Counts(pushes.pushed(), delivered, pops, pushes.failed());
  }

  private void consume(ClosedLoop consumers) {
    for (int i = 0; i < QUEUES; i++) {
      for (int broker = 0; broker < clients.size(); broker++) {
        if (i >= QUEUES / 2 || i % clients.size() == broker) {
          BrokerClient client = clients.get(broker);
          String queue = queues.get(i);
          consumers.start(loop.context(), () -> once(client, queue));
        }
      }
    }
  }

  private Future<Integer> once(BrokerClient client, String queue) {
    return client
        .pop(queue, QUERY)
        .compose(
            messages -> {
              pops++;
              delivered += messages.size();
              long now = System.nanoTime();
              for (PopMessage message : messages) {
                if (recording) {
                  latency.recordValue(Math.max(0, now - message.number()));
                }
              }
              return client.ack("", messages);
            });
  }

  private void report(Figures figures, Usage used, Counts counts, long failures) {
    double pushed = Math.max(1, counts.pushed);
    double got = Math.max(1, counts.delivered);
    figures.add("load: messages pushed", counts.pushed);
    figures.add("load: messages delivered", counts.delivered);
    figures.add("load: pops answered per delivered", counts.pops / got);
    figures.add("load: pushes that failed", counts.failed);
    figures.add("load: pops or acks that failed", failures);
    figures.add("load: push sent to pop answered", latency);
    long others = used.transactions() - used.appends();
    figures.add("load: queries to push, per pushed", used.appends() / pushed);
    // Pops, acks, looks at the tail, settings: whatever it takes to get a message consumed.
    figures.add("load: queries to consume, per delivered", others / got);
    figures.add("load: transactions per delivered", used.transactions() / got);
    figures.add("load: packets per pushed", used.packets() / pushed);
    used.calls()
        .forEach(
            (name, calls) -> figures.add("load: calls of " + name + " per delivered", calls / got));
    used.shared()
        .figures()
        .forEach((path, more) -> figures.add("load: " + path + " per pushed", more / pushed));
  }
}
