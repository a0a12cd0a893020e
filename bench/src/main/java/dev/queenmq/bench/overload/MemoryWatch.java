package dev.queenmq.bench.overload;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.ProcessTree;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.atomic.AtomicLong;

/** Looks several times a second at how much memory a broker uses. */
final class MemoryWatch implements AutoCloseable {
  private static final long GLANCE_MILLIS = 250;
  private static final double MEGABYTE = 1 << 20;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final BrokerClient client;
  private final AtomicLong resident = new AtomicLong();
  private final AtomicLong heap = new AtomicLong();

  MemoryWatch(BrokerProcess broker) {
    client = new BrokerClient(vertx, broker.url(), 1);
    vertx.setPeriodic(GLANCE_MILLIS, due -> look(broker.pid()));
  }

  private void look(long pid) {
    most(resident, Math.round(ProcessTree.alone(pid).megabytes()));
    client
        .get("/metrics")
        .onSuccess(
            reply ->
                most(
                    heap,
                    Math.round(
                        reply.body().toJsonObject().getJsonObject("memory").getLong("heapUsed")
                            / MEGABYTE)));
  }

  private static void most(AtomicLong peak, long now) {
    peak.accumulateAndGet(now, Math::max);
  }

  /** The most megabytes of the process, so far. */
  long resident() {
    return resident.get();
  }

  /** The most megabytes of objects, alive or not collected yet. */
  long heap() {
    return heap.get();
  }

  @Override
  public void close() {
    Blocking.get(client.close());
    Blocking.get(vertx.close());
  }
}
