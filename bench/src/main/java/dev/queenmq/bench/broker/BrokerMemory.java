package dev.queenmq.bench.broker;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The memory of a broker: what its process has, and what its objects need. */
public final class BrokerMemory {
  private static final double MEGABYTE = 1 << 20;
  private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

  private final BrokerClient client;
  private final long pid;
  private final AtomicLong mostResident = new AtomicLong();
  private final AtomicLong mostHeap = new AtomicLong();

  /** Looks on this event loop. */
  public BrokerMemory(EventLoop loop, BrokerProcess broker) {
    client = new BrokerClient(loop.vertx(), broker.url(), 1);
    pid = broker.process().pid();
  }

  /** Megabytes of the process. */
  public double resident() {
    return ProcessTree.alone(pid).megabytes();
  }

  /** Megabytes of objects that are alive: collects, and looks. */
  public double live() {
    Commands.run(List.of(JCMD.toString(), Long.toString(pid), "GC.run"))
        .ifPresent(
            why -> {
              throw new IllegalStateException("the broker does not collect: " + why);
            });
    return Blocking.get(heap());
  }

  /** Megabytes of objects, alive or not collected yet. */
  private Future<Double> heap() {
    return client
        .get("/metrics")
        .map(
            reply ->
                reply.body().toJsonObject().getJsonObject("memory").getLong("heapUsed") / MEGABYTE);
  }

  /** Keeps in mind how much it was at the most. */
  public void watch() {
    mostResident.accumulateAndGet(Math.round(resident()), Math::max);
    heap().onSuccess(now -> mostHeap.accumulateAndGet(Math.round(now), Math::max));
  }

  /** The most megabytes of the process that {@link #watch} has seen. */
  public long mostResident() {
    return mostResident.get();
  }

  /** The most megabytes of objects that {@link #watch} has seen. */
  public long mostHeap() {
    return mostHeap.get();
  }
}
