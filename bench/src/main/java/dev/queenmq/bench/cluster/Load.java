package dev.queenmq.bench.cluster;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
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
  private static final String QUERY = "?batch=10&wait=true&timeout=5000";

  private final Cluster cluster;
  private final Loop loop;
  private final Pushes pushes;
  private final List<String> queues =
      IntStream.range(0, QUEUES).mapToObj(i -> "load-" + i).toList();
  private final List<BrokerClient> clients;
  private final Histogram latency = new Histogram(3);
  private boolean recording;
  private boolean over;
  private long delivered;
  private long pops;
  private long failures;

  Load(Cluster cluster, Loop loop, int rate) {
    this.cluster = cluster;
    this.loop = loop;
    pushes = new Pushes(loop, cluster, rate, queues);
    clients =
        cluster.urls().stream().map(url -> new BrokerClient(loop.vertx(), url, QUEUES)).toList();
  }

  void run(Duration length, Figures figures) {
    List<Future<Void>> consuming = loop.on(this::consume);
    pushes.start();
    Blocking.sleep(WARM_UP);
    loop.on(() -> recording = true);
    Usage before = Usage.of(cluster);
    long[] countsBefore = loop.on(this::counts);
    Blocking.sleep(length);
    Usage used = Usage.of(cluster).since(before);
    long[] counts = loop.on(this::counts);
    loop.on(() -> over = true);
    pushes.stop();
    Blocking.get(Future.join(consuming));
    pushes.close();
    Blocking.get(Future.join(clients.stream().map(BrokerClient::close).toList()));
    report(
        figures,
        used,
        counts[0] - countsBefore[0],
        counts[1] - countsBefore[1],
        counts[2] - countsBefore[2],
        counts[3] - countsBefore[3]);
  }

  private long[] counts() {
    return new long[] {pushes.pushed(), delivered, pops, pushes.failed()};
  }

  private List<Future<Void>> consume() {
    List<Future<Void>> all = new ArrayList<>();
    for (int i = 0; i < QUEUES; i++) {
      for (int broker = 0; broker < clients.size(); broker++) {
        if (i >= QUEUES / 2 || i % clients.size() == broker) {
          all.add(again(clients.get(broker), queues.get(i)));
        }
      }
    }
    return all;
  }

  private Future<Void> again(BrokerClient client, String queue) {
    return over
        ? Future.succeededFuture()
        : once(client, queue)
            .recover(
                failure -> {
                  failures++;
                  return loop.pause(Duration.ofMillis(100));
                })
            .compose(done -> again(client, queue));
  }

  private Future<Void> once(BrokerClient client, String queue) {
    return client
        .get(BrokerClient.popPath(queue) + QUERY)
        .map(Answers::pop)
        .compose(
            messages -> {
              pops++;
              if (messages.isEmpty()) {
                return Future.succeededFuture();
              }
              long now = System.nanoTime();
              Bodies body = Bodies.acks("");
              for (PopMessage message : messages) {
                delivered++;
                if (recording) {
                  latency.recordValue(Math.max(0, now - message.number()));
                }
                body.ack(message, "completed");
              }
              return client
                  .post(BrokerClient.ACK_BATCH, body.finish())
                  .map(Reply::orThrow)
                  .mapEmpty();
            });
  }

  private void report(
      Figures figures, Usage used, long pushed, long got, long answered, long failed) {
    figures.add("load: messages pushed", pushed);
    figures.add("load: messages delivered", got);
    figures.add("load: pops answered per delivered", (double) answered / Math.max(1, got));
    figures.add("load: pushes that failed", failed);
    figures.add("load: pops or acks that failed", failures);
    figures.add("load: push sent to pop answered", latency);
    long others = used.transactions() - used.appends();
    figures.add("load: queries to push, per pushed", (double) used.appends() / Math.max(1, pushed));
    // Pops, acks, looks at the tail, settings: whatever it takes to get a message consumed.
    figures.add("load: queries to consume, per delivered", (double) others / Math.max(1, got));
    figures.add(
        "load: transactions per delivered", (double) used.transactions() / Math.max(1, got));
    figures.add("load: packets per pushed", (double) used.packets() / Math.max(1, pushed));
    used.calls()
        .forEach(
            (name, calls) ->
                figures.add(
                    "load: calls of " + name + " per delivered",
                    (double) calls / Math.max(1, got)));
    used.shared()
        .figures()
        .forEach(
            (path, more) ->
                figures.add("load: " + path + " per pushed", more / Math.max(1, pushed)));
  }
}
