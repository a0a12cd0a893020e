package dev.queenmq.bench.compare;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.bench.broker.ProcessTree;
import dev.queenmq.bench.http.LoadTarget;
import dev.queenmq.bench.http.MessageMaker;
import dev.queenmq.bench.http.Meter;
import dev.queenmq.bench.http.Plan;
import dev.queenmq.bench.http.Window;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;

/**
 * What all systems share that do not speak the broker's contract: one event loop, names, windows.
 */
public abstract class PeerTarget implements LoadTarget, AutoCloseable {
  private final StartOptions options;
  private final ProcessTree processes;
  private final Vertx vertx;
  private final Context context;
  private int queues;

  /** One that looks at these processes. */
  protected PeerTarget(StartOptions options, ProcessTree processes) {
    this.options = options;
    this.processes = processes;
    vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    context = Blocking.get(StoreConnection.newContext(vertx));
  }

  /** Makes a queue and waits until it can be used. */
  protected abstract void create(String queue, int partitions);

  /** The event loop of all its workers. */
  protected final Context context() {
    return context;
  }

  @Override
  public final Plan plan() {
    return options.plan();
  }

  @Override
  public final Window window(Meter meter, String title) {
    return new Window(meter, processes, options.progress(), title);
  }

  @Override
  public final String newQueue(String name, int partitions) {
    String queue = plan().queues() + "-" + name + "-" + queues;
    queues++;
    create(queue, partitions);
    return queue;
  }

  /** A maker of messages for a worker. */
  protected final MessageMaker messages(int worker, int partitions, boolean inTurn) {
    return new MessageMaker(plan().payload(), partitions, inTurn, worker);
  }

  @Override
  public void close() {
    Blocking.get(vertx.close());
  }
}
