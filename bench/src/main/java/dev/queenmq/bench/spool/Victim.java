package dev.queenmq.bench.spool;

import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A broker that is killed and started again, on the same port and spool. For one thread. */
final class Victim implements AutoCloseable {
  private final Path jar;
  private final Optional<Path> parent;
  private final int port;
  private final Map<String, String> settings;
  private @Nullable BrokerProcess process;

  Victim(Path jar, Optional<Path> parent, int port, Map<String, String> settings) {
    this.jar = jar;
    this.parent = parent;
    this.port = port;
    this.settings = settings;
  }

  BrokerUrl url() {
    return new BrokerUrl("127.0.0.1", port, "");
  }

  /** Starts it and waits until it is healthy. */
  void start() {
    process = BrokerProcess.start(jar, parent, port, settings);
  }

  /** Starts it without its PostgreSQL. */
  void startUnhealthy() {
    process = BrokerProcess.startUnhealthy(jar, parent, port, settings);
  }

  void awaitHealth() {
    if (process != null) {
      process.awaitHealth();
    }
  }

  /** Ends it as kill -9 does. */
  void kill() {
    if (process != null) {
      process.kill();
      close();
    }
  }

  /** Its last words. */
  String tail() {
    return process == null ? "(down)" : process.tail();
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
      process = null;
    }
  }
}
