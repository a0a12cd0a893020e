package dev.queenmq.bench.waiting;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.ProcessTree;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * The memory of a broker that was just told to throw away what it no longer needs. Without that,
 * two looks tell only how far the heap has filled since the last collection.
 */
final class BrokerMemory implements AutoCloseable {
  private static final double MEGABYTE = 1 << 20;
  private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final BrokerClient client;
  private final long pid;

  BrokerMemory(BrokerProcess broker) {
    client = new BrokerClient(vertx, broker.url(), 1);
    pid = broker.pid();
  }

  /**
   * Megabytes after a collection.
   *
   * @param heap of objects that are alive
   * @param resident of the process
   */
  record Use(double heap, double resident) {}

  Use afterCollection() {
    try {
      Process jcmd =
          new ProcessBuilder(JCMD.toString(), Long.toString(pid), "GC.run")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (jcmd.onExit().join().exitValue() != 0) {
        throw new IllegalStateException("the broker does not collect: jcmd failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no jcmd: this needs a JDK", e);
    }
    return new Use(
        Blocking.get(client.get("/metrics"))
                .body()
                .toJsonObject()
                .getJsonObject("memory")
                .getLong("heapUsed")
            / MEGABYTE,
        resident());
  }

  /** Megabytes of the process as it is. */
  double resident() {
    return ProcessTree.alone(pid).megabytes();
  }

  @Override
  public void close() {
    Blocking.get(client.close());
    Blocking.get(vertx.close());
  }
}
