package dev.queenmq.bench.http;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.ProcessTree;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What all measurements of a broker share: its URL, the event loops, the plan. */
public final class Generator implements LoadTarget, AutoCloseable {
  private static final int DELETING = 4;

  private final Vertx vertx;
  private final List<Context> contexts;
  private final BrokerUrl url;
  private final ProcessTree processes;
  private final Plan plan;
  private final PrintWriter progress;
  private final List<String> queues = new ArrayList<>();

  /** One that looks at these processes, and says how it goes. */
  public Generator(BrokerUrl url, ProcessTree processes, Plan plan, PrintWriter progress) {
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

  @Override
  public Plan plan() {
    return plan;
  }

  BrokerUrl url() {
    return url;
  }

  /** The event loop of a worker. */
  Context context(int worker) {
    return contexts.get(worker % contexts.size());
  }

  @Override
  public Lanes connect(int connections) {
    return new Lanes(plan, contexts, url, connections);
  }

  @Override
  public Lanes connectOnOneLoop(int connections) {
    return new Lanes(plan, contexts.subList(0, 1), url, connections);
  }

  @Override
  public Window window(Meter meter, String title) {
    return new Window(meter, processes, progress, title);
  }

  /** A broker makes queues and partitions with the first push. */
  @Override
  public String newQueue(String name, int partitions) {
    String queue = plan.queues() + "-" + name + "-" + queues.size();
    queues.add(queue);
    return queue;
  }

  /** A broker of the run's own keeps it until its end. */
  @Override
  public void release(String queue) {}

  /** Removes all queues at a broker that goes on; what fails stays. */
  public void deleteQueues() {
    try (Lanes lanes = connectOnOneLoop(DELETING)) {
      BrokerClient client = lanes.client(0);
      Blocking.get(
          Future.join(
                  queues.stream()
                      .map(
                          queue ->
                              client.delete("/api/v1/resources/queues/" + BrokerUrl.encode(queue)))
                      .toList())
              .otherwiseEmpty());
    }
  }

  @Override
  public void close() {
    Blocking.get(vertx.close());
  }
}
