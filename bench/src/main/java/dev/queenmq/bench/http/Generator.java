package dev.queenmq.bench.http;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.ProcessTree;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What all measurements of a run share: the broker, the event loops, the plan. */
final class Generator implements AutoCloseable {
  private final Vertx vertx;
  private final List<Context> contexts;
  private final BrokerUrl url;
  private final ProcessTree processes;
  private final Plan plan;
  private final PrintWriter progress;
  private final List<String> queues = new ArrayList<>();

  Generator(BrokerUrl url, ProcessTree processes, Plan plan, PrintWriter progress) {
    this.url = url;
    this.processes = processes;
    this.plan = plan;
    this.progress = progress;
    vertx =
        Vertx.vertx(
            new VertxOptions().setEventLoopPoolSize(plan.threads()).setPreferNativeTransport(true));
    contexts =
        Stream.generate(() -> Blocking.get(StoreConnection.newContext(vertx)))
            .limit(plan.threads())
            .toList();
  }

  Plan plan() {
    return plan;
  }

  /** Event loops with so many connections in all. */
  Lanes lanes(int connections) {
    return new Lanes(contexts, url, connections);
  }

  /** The same on one event loop only. */
  Lanes oneLane(int connections) {
    return new Lanes(contexts.subList(0, 1), url, connections);
  }

  Window window(Meter meter, String title) {
    return new Window(meter, processes, progress, title);
  }

  /** The name of a queue that nobody has used. */
  String newQueue(String name) {
    String queue = plan.queues() + "-" + name + "-" + queues.size();
    queues.add(queue);
    return queue;
  }

  /** All queues that were named. */
  List<String> queues() {
    return List.copyOf(queues);
  }

  @Override
  public void close() {
    Blocking.get(vertx.close());
  }
}
