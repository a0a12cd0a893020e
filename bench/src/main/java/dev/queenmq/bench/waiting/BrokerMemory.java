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
 * The memory of a broker, in the two parts that could grow: objects that are still alive after a
 * collection, and what the process has beside its heap. The heap itself is all there from the
 * start: otherwise its pages become resident one by one for many minutes, whatever lives in them.
 */
final class BrokerMemory implements AutoCloseable {
  private static final double MEGABYTE = 1 << 20;
  private static final int HEAP_MEGABYTES = 512;

  /** Options of the JVM to look at. */
  static final String OPTIONS = "-Xms%1$dm -Xmx%1$dm -XX:+AlwaysPreTouch".formatted(HEAP_MEGABYTES);

  private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final BrokerClient client;
  private final long pid;

  BrokerMemory(BrokerProcess broker) {
    client = new BrokerClient(vertx, broker.url(), 1);
    pid = broker.pid();
  }

  /**
   * Megabytes.
   *
   * @param objects that are alive
   * @param besideHeap that the process has more
   */
  record Use(double objects, double besideHeap) {}

  /** Collects, and looks. */
  Use look() {
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
    long used =
        Blocking.get(client.get("/metrics"))
            .body()
            .toJsonObject()
            .getJsonObject("memory")
            .getLong("heapUsed");
    return new Use(used / MEGABYTE, besideHeap());
  }

  /** What the process has more than its heap. */
  double besideHeap() {
    return ProcessTree.alone(pid).megabytes() - HEAP_MEGABYTES;
  }

  @Override
  public void close() {
    Blocking.get(client.close());
    Blocking.get(vertx.close());
  }
}
